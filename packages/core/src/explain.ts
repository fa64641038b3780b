import { type ArrayInterfaceError, isArrayInterfaceError } from './errors/error.js';
import { cut, printable, show } from './errors/show.js';
import { withFallback } from './errors/with-fallback.js';
import { SUBJECT } from './errors/with-subject.js';
import { badArgument } from './input/argument.js';
import { ATTRIBUTES } from './protocols/protocol.js';

/** Longer lines are truncated, or broken up if they contain the mark. */
const WIDTH = 76;
/** Maximum number of entries of a list, or keys of an object, shown besides the marked one. */
const SHOWN = 12;
/** Levels of nesting that are shown if nothing is marked. */
const DEPTH = 3;

const UNREADABLE: unique symbol = Symbol('unreadable');
const GAP: Entry = { label: '', value: Symbol('…'), steps: null };

/** Keys and indices that lead to the mark. Empty: this is the mark. Null: the mark is elsewhere. */
type Steps = readonly string[] | null;

/** A value on one line, and the part of it that is marked. */
interface Line {
  readonly text: string;
  readonly mark: readonly [start: number, end: number] | null;
}

/** An entry of a list or object. */
interface Entry {
  readonly label: string;
  readonly value: unknown;
  readonly steps: Steps;
}

/**
 * Formats an error for people, in several lines: its message, then the dict that it is about, with
 * the offending key marked.
 *
 * Errors of readers store what they were reading; `subject` overrides it. Reads keys again, and
 * ignores what a getter throws. Copies nothing but text. Throws ERR_ARGUMENT for other errors.
 *
 * @example
 * ```ts
 * import { fromCudaArrayInterface, isArrayInterfaceError } from '@array-interface/core';
 * import { explain } from '@array-interface/core/explain';
 *
 * try {
 *   fromCudaArrayInterface({ version: 3, shape: [2], typestr: '<f4', data: [0, false] });
 * } catch (error) {
 *   if (isArrayInterfaceError(error)) console.error(explain(error));
 * }
 * ```
 */
export function explain(error: ArrayInterfaceError, subject?: unknown): string {
  if (!isArrayInterfaceError(error)) throw badArgument('error', 'an ArrayInterfaceError', error);
  const { code, path, message } = partsOf(error);
  const where = printable(`[${code}] ${path === null ? '' : `${path}: `}`);
  const text = printable(message);
  const head = text.startsWith(where) ? text : where + text;
  const about = subject ?? peek(error, SUBJECT);
  if (about === undefined || path === null) return head;
  const steps = isObject(about) && !isList(about) ? path.split(/[.[\]]+/).filter(Boolean) : [];
  const [key] = steps;
  if (key === undefined)
    return [head, '', ...draw({ label: '', value: about, steps }, '  ')].join('\n');
  // a faulty option is not in the dict
  if (code !== 'ERR_MISSING_KEY' && !withFallback(() => key in (about as object), true))
    return head;
  const lines = entriesOf(about as object, steps).flatMap((entry) => draw(entry, '  '));
  return [head, '', ...lines].join('\n');
}

/** Reads the parts of an error, which may be a proxy, or a foreign object with core's brand. */
function partsOf(error: object): { code: string; path: string | null; message: string } {
  const [code, path, message] = ['code', 'path', 'message'].map((key) => peek(error, key));
  return {
    code: typeof code === 'string' ? code : show(code),
    path: typeof path === 'string' ? path : null,
    message: typeof message === 'string' ? message : show(message),
  };
}

/** Formats an entry on one line, or on several if it is long and contains the mark. */
function draw({ label, value, steps }: Entry, indent: string): string[] {
  const { text, mark } = inline(value, steps);
  const line = indent + label + text;
  if (line.length > WIDTH && steps !== null && steps.length > 0 && isObject(value)) {
    const [open, close] = isList(value) ? '[]' : '{}';
    const entries = entriesOf(value, steps).flatMap((entry) => draw(entry, `${indent}  `));
    return [indent + label + open, ...entries, indent + close];
  }
  const short = cut(line, WIDTH);
  if (mark === null) return [short];
  const from = line.length - text.length + mark[0];
  return [
    short,
    ' '.repeat(from) + '^'.repeat(Math.max(1, Math.min(mark[1] - mark[0], short.length - from))),
  ];
}

/** Formats a value on one line. `depth` counts the levels below the path to the mark. */
function inline(value: unknown, steps: Steps, depth = 0): Line {
  if (steps?.length === 0) {
    const { text } = inline(value, null);
    return { text, mark: [0, text.length] };
  }
  if (!isObject(value)) return { text: show(value), mark: null };
  const [open, close] = isList(value) ? '[]' : '{}';
  if (steps === null && (depth === DEPTH || !isPlain(value))) {
    return { text: `${open}…${close}`, mark: null };
  }
  let text = open as string;
  let mark: Line['mark'] = null;
  for (const entry of entriesOf(value, steps)) {
    if (steps === null && text.length > WIDTH) break; // truncated in any case
    if (text !== open) text += ', ';
    text += entry.label;
    const inside = inline(entry.value, entry.steps, entry.steps === null ? depth + 1 : 0);
    if (inside.mark !== null) mark = [text.length + inside.mark[0], text.length + inside.mark[1]];
    text += inside.text;
  }
  return { text: text + close, mark };
}

/** Returns the first entries and the one on the path to the mark, even if it is missing. */
function entriesOf(value: object, way: Steps): Entry[] {
  const list = isList(value);
  const steps = way === null ? null : intoMask(value, way);
  const own = list ? [] : withFallback(() => Object.keys(value), []);
  const total = list ? lengthOf(value) : own.length;
  const shown = list ? [...Array(Math.min(SHOWN, total)).keys()].map(String) : own.slice(0, SHOWN);
  const marked = steps?.[0];
  const keys = marked === undefined || shown.includes(marked) ? shown : [...shown, marked];
  const entries: Entry[] = [];
  for (const [index, key] of keys.entries()) {
    if (list && index > 0 && Number(key) !== Number(keys[index - 1]) + 1) entries.push(GAP);
    entries.push({
      label: list ? '' : `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : show(key)}: `,
      value: peek(value, key),
      steps: steps !== null && key === marked ? steps.slice(1) : null,
    });
  }
  if (keys.length < total && Number(keys.at(-1)) !== total - 1) entries.push(GAP);
  return entries;
}

/** Returns the length of a list, or 0 if it has none. */
function lengthOf(list: object): number {
  const length = peek(list, 'length');
  return typeof length === 'number' && length > 0 ? Math.floor(length) : 0;
}

/** Adds the attribute that holds a mask's dict, which the paths of errors omit. */
function intoMask(value: object, steps: readonly string[]): readonly string[] {
  const has = (key: string) => withFallback(() => key in value, false);
  if (has(steps[0] as string)) return steps;
  const attribute = Object.values(ATTRIBUTES).find(has);
  return attribute === undefined ? steps : [attribute, ...steps];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isList(value: object): boolean {
  return withFallback(() => Array.isArray(value), false);
}

function isPlain(value: object): boolean {
  if (isList(value)) return true;
  const prototype: unknown = withFallback(() => Object.getPrototypeOf(value), undefined);
  return prototype === null || prototype === Object.prototype;
}

function peek(value: object, key: PropertyKey): unknown {
  return withFallback(() => (value as Record<PropertyKey, unknown>)[key], UNREADABLE);
}
