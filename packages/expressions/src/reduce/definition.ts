import { ArrayInterfaceError, type DTypeName, isArrayInterfaceError } from '@array-interface/core';
import { fault, type Scalar } from '../launch/operands.js';
import { checkNames, RESULT } from '../meaning/check-names.js';
import { refuseReductions } from '../meaning/reductions.js';
import type { Syntax } from '../syntax/node.js';
import { parse } from '../syntax/parse.js';
import type { CompiledReduction } from './compiled.js';

/** What a reduction does, in texts. */
export interface Steps {
  /**
   * What an element becomes: one value, or an assignment for each accumulator: `n = 1; mean = x`.
   * `position` is the index of the element among those reduced, in C order.
   */
  readonly map: string;
  /**
   * What two values become. They are `a` and `b`; of an accumulator `mean`, `a_mean` and `b_mean`.
   * It has to be associative and commutative, apart from rounding.
   */
  readonly reduce: string;
  /**
   * The value of no elements, or one for each accumulator. Default: none, and a reduction of no
   * elements is an error.
   */
  readonly identity?: Scalar | Readonly<Record<string, Scalar>>;
  /**
   * The outputs, of the accumulators: `y = sqrt(a)`. `count` is the number of elements reduced.
   * Default: the only output is the only accumulator.
   */
  readonly post?: string;
}

/**
 * What the host computes by loops of its own: the place of the least or the greatest element; the
 * number, the sum of squared differences and the mean of elements; or the greatest element, and the
 * sum of the exponentials of all less it.
 */
export type Method = 'least' | 'greatest' | 'moments' | 'logSumExp';

/** One text, and the operands that it uses. */
export interface Part {
  /** What errors call the text. */
  readonly label: string;
  readonly syntax: Syntax;
  readonly used: ReadonlySet<string>;
}

/** A reduction, with what it made for types that it met. */
export interface Definition {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly declared: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  /** The accumulators: `a`, unless `map` names them. */
  readonly accumulators: readonly string[];
  /** The names of both values of each in `reduce`, and of its result there and in `map`. */
  readonly names: readonly (readonly [first: string, second: string, result: string])[];
  readonly map: Part;
  readonly reduce: Part;
  readonly post: Part;
  readonly identity: ReadonlyMap<string, Scalar> | null;
  /** Its accumulators are `value` and `place`, or `n`, `squares` and `mean`. */
  readonly method?: Method | undefined;
  /** The names of the number of elements reduced, and of the index of one. */
  readonly count: string;
  readonly position: string;
  /** The error for what the reduction cannot do with operands: `path` is an option of a call. */
  readonly faultOf: typeof argumentFault;
  readonly known: Map<string, CompiledReduction>;
}

/** The number of elements reduced, and the index of one, unless an operand has the name. */
const COUNT = 'count';
const POSITION = 'position';

/** The error for a faulty argument. */
export function argumentFault(
  path: string,
  expected: string,
  got: string,
  cure?: string,
): ArrayInterfaceError {
  return fault('ERR_ARGUMENT', path, expected, got, cure);
}

const TEXTS = { map: true, reduce: true, post: false } as const;

/** Reads the texts of a reduction. Throws ERR_ARGUMENT. */
export function readDefinition(
  name: string,
  declared: Readonly<Record<string, string>>,
  outputs: Readonly<Record<string, string>>,
  steps: Steps,
): Definition {
  if (typeof steps !== 'object' || steps === null) {
    throw fault('ERR_ARGUMENT', 'steps', '{ map, reduce, identity, post }', typeof steps);
  }
  for (const [text, isNeeded] of Object.entries(TEXTS)) {
    const given = steps[text as 'map'];
    if (typeof given === 'string' || (given === undefined && !isNeeded)) continue;
    throw fault('ERR_ARGUMENT', `steps.${text}`, 'a text', typeof given);
  }
  const inputs = Object.keys(declared);
  const map = inText('map', () => parse(steps.map));
  const assigned = map.statements.flatMap(({ kind, name: own }) =>
    kind === 'assign' ? [own] : [],
  );
  const isSingle = assigned.length === 0;
  const accumulators = isSingle ? ['a'] : assigned;
  const names = accumulators.map((one): readonly [string, string, string] =>
    isSingle ? ['a', 'b', RESULT] : [`a_${one}`, `b_${one}`, one],
  );
  const results = names.map(([, , result]) => result);
  const others = [...inputs, COUNT].filter((one) => !accumulators.includes(one));
  const read = (
    text: 'map' | 'reduce' | 'post',
    own: string,
    needed: string[],
    to: string[],
    may: string[],
  ): Part =>
    inText(text, () => {
      const syntax = parse(own);
      const used = checkNames(
        syntax,
        needed,
        to,
        may.filter((one) => !needed.includes(one)),
      );
      refuseReductions(syntax);
      return { label: text, syntax, used };
    });
  const made: Omit<Definition, 'identity'> = {
    name,
    inputs,
    declared,
    outputs,
    accumulators,
    names,
    map: read('map', steps.map, [], results, [...inputs, COUNT, POSITION]),
    reduce: read(
      'reduce',
      steps.reduce,
      names.flatMap((own) => own.slice(0, 2)),
      results,
      others,
    ),
    post: read('post', steps.post ?? defaultPost(outputs, accumulators), [], Object.keys(outputs), [
      ...accumulators,
      ...others,
    ]),
    count: COUNT,
    position: POSITION,
    faultOf: argumentFault,
    known: new Map(),
  };
  const unused = inputs.find(
    (one) => ![made.map, made.reduce, made.post].some(({ used }) => used.has(one)),
  );
  if (unused !== undefined) {
    throw fault(
      'ERR_ARGUMENT',
      `inputs.${unused}`,
      'each operand in a text',
      `none of '${unused}'`,
      'leave it out, or use it',
    );
  }
  return { ...made, identity: readIdentity(steps.identity, accumulators, isSingle) };
}

function defaultPost(outputs: Readonly<Record<string, string>>, accumulators: readonly string[]) {
  const names = Object.keys(outputs);
  if (names.length === 1 && accumulators.length === 1) return `${names[0]} = ${accumulators[0]}`;
  throw fault(
    'ERR_ARGUMENT',
    'steps.post',
    'a text that makes the outputs',
    'none',
    'there are several outputs or accumulators',
  );
}

function readIdentity(
  identity: Steps['identity'],
  accumulators: readonly string[],
  isSingle: boolean,
): ReadonlyMap<string, Scalar> | null {
  if (identity === undefined) return null;
  const all = isSingle && typeof identity !== 'object' ? { a: identity } : identity;
  const isObject = typeof all === 'object' && all !== null;
  const names = isObject ? Object.keys(all) : [];
  const isWhole =
    names.length === accumulators.length && accumulators.every((one) => names.includes(one));
  if (!isObject || !isWhole) {
    const expected = isSingle
      ? 'a number, or true or false'
      : `an object with ${accumulators.join(', ')}`;
    throw fault(
      'ERR_ARGUMENT',
      'steps.identity',
      expected,
      isObject ? `one with ${names.join(', ')}` : typeof identity,
    );
  }
  return new Map(
    Object.entries(all).map(([name, value]) => {
      if (['number', 'bigint', 'boolean'].includes(typeof value)) return [name, value];
      const path = isSingle && typeof identity !== 'object' ? '' : `.${name}`;
      throw fault(
        'ERR_ARGUMENT',
        `steps.identity${path}`,
        'a number, or true or false',
        typeof value,
      );
    }),
  );
}

/** Runs something whose errors name a place in a text, and has them name which text it is. */
export function inText<T>(name: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!isArrayInterfaceError(error) || error.path?.startsWith('text') !== true) throw error;
    const { code, path, reason, message } = error;
    const excerpt = message
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^ {2}\| /, ''));
    throw new ArrayInterfaceError(code, path.replace('text', name), reason, { excerpt });
  }
}

/** Returns the type in which an accumulator of a type is kept: registers have no float16. */
export function accumulatorType(type: DTypeName): DTypeName {
  return type === 'float16' ? 'float32' : type;
}
