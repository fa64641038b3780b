import type { DTypeName } from '@array-interface/core';
import { didYouMean, faultAt, quoted } from '../syntax/fault.js';
import type { Node, Option, Span, Syntax } from '../syntax/node.js';
import { CASTS } from './functions.js';

/** The options of a reduction in a text. */
export interface ReductionOptions {
  readonly axis?: readonly number[];
  readonly keepdims?: boolean;
  readonly dtype?: DTypeName;
  readonly correction?: number;
}

/** The names of reductions in texts: those of the Python array API standard, and `logsumexp`. */
export type ReductionName =
  | 'all'
  | 'any'
  | 'argmax'
  | 'argmin'
  | 'count_nonzero'
  | 'logsumexp'
  | 'max'
  | 'mean'
  | 'min'
  | 'prod'
  | 'std'
  | 'sum'
  | 'var';

const COMMON = ['axis', 'keepdims'];

const OPTIONS: Readonly<Record<ReductionName, readonly string[]>> = {
  all: COMMON,
  any: COMMON,
  argmax: COMMON,
  argmin: COMMON,
  count_nonzero: COMMON,
  logsumexp: COMMON,
  max: COMMON,
  mean: COMMON,
  min: COMMON,
  prod: [...COMMON, 'dtype'],
  std: [...COMMON, 'correction'],
  sum: [...COMMON, 'dtype'],
  var: [...COMMON, 'correction'],
};

/** The options of each. */
export const REDUCTIONS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(OPTIONS));

/** A node that calls a function. */
export type Call = Node & { readonly kind: 'call' };

/** Returns whether a node is a call of a reduction. */
export function isReduction(node: Node): node is Call {
  return node.kind === 'call' && REDUCTIONS.has(node.name.name);
}

/** Reads the options of a reduction. Throws ERR_ARGUMENT that shows the line. */
export function readReductionOptions(text: string, { name, options }: Call): ReductionOptions {
  const known = REDUCTIONS.get(name.name) as readonly string[];
  const read: Record<string, unknown> = {};
  for (const option of options) {
    const expected = `one of the options ${known.join(', ')}`;
    if (!known.includes(option.name))
      throw faultAt(
        text,
        option.label,
        expected,
        quoted(option.name),
        didYouMean(option.name, known),
      );
    if (Object.hasOwn(read, option.name))
      throw faultAt(text, option.label, 'each option once', `another ${quoted(option.name)}`);
    read[option.name] = READERS[option.name as keyof ReductionOptions](text, option);
  }
  return read;
}

/** Throws ERR_ARGUMENT for an option of a function that has none. */
export function assertNoOptions(text: string, { name, options }: Call): void {
  const [first] = options;
  if (first === undefined) return;
  const end = options.at(-1)?.end as number;
  throw faultAt(
    text,
    { start: first.label.start, end },
    `no options of ${name.name}`,
    quoted(first.name),
  );
}

const READERS: {
  [Name in keyof Required<ReductionOptions>]: (text: string, option: Option) => unknown;
} = {
  axis: (text, { value, start, end }) => {
    const given = Array.isArray(value) ? value : [value];
    if (given.every((one) => typeof one === 'bigint')) return given.map(Number);
    throw wrong(text, { start, end }, 'an axis, or axes in parentheses');
  },
  keepdims: (text, { value, start, end }) => {
    if (value === 'true' || value === 'false') return value === 'true';
    throw wrong(text, { start, end }, 'true or false');
  },
  dtype: (text, { value, start, end }) => {
    if (CASTS.some((one) => one === value)) return value;
    throw wrong(text, { start, end }, 'a dtype of numbers', didYouMean(String(value), CASTS));
  },
  correction: (text, { value, start, end }) => {
    if (typeof value === 'bigint' || typeof value === 'number') return Number(value);
    throw wrong(text, { start, end }, 'a number');
  },
};

function wrong(text: string, span: Span, expected: string, cure?: string): Error {
  return faultAt(text, span, expected, quoted(text.slice(span.start, span.end)), cure);
}

/** Throws ERR_ARGUMENT that shows a reduction in a text of which each element is computed by itself. */
export function refuseReductions({ text, nodes }: Syntax): void {
  const found = nodes.find(isReduction);
  if (found === undefined) return;
  throw faultAt(
    text,
    found.name,
    'a function of elements',
    quoted(found.name.name),
    'evaluate() has reductions in its texts, and so have functions of their own',
  );
}
