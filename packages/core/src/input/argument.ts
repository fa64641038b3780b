import { ArrayInterfaceError } from '../errors/error.js';
import { show } from '../errors/show.js';
import { entryOf, lengthOf, producerError } from './dict.js';
import { assertRank } from './shape.js';

/** What a view says about an argument that it cannot take. */
export function badArgument(
  path: string,
  expected: string,
  got: unknown,
  shown: string = show(got),
): ArrayInterfaceError {
  return new ArrayInterfaceError('ERR_ARGUMENT', path, `expected ${expected}, got ${shown}`);
}

/**
 * The entries of a list with one for each axis, each read once. Throws ERR_TYPE (a list that cannot be
 * read), ERR_ARGUMENT, ERR_RANK_MISMATCH (more of them than any array has axes).
 */
function readEntries(value: unknown, path: string, expected: string): unknown[] {
  const count = lengthOf(value, path, expected, 'ERR_ARGUMENT');
  assertRank(count, path);
  const entries = new Array<unknown>(count);
  for (let index = 0; index < count; index++) entries[index] = entryOf(value, index, path);
  return entries;
}

/**
 * Throws ERR_ARGUMENT for options that are no object, and for one whose name is in none of the lists: a
 * misspelt option would be no option at all.
 */
export function checkOptions(
  options: object,
  ...known: readonly (readonly string[] | undefined)[]
): void {
  for (const name of namesIn(options)) {
    if (known.some((names) => names?.includes(name))) continue;
    throw badArgument(name, `one of the options ${known.flat().filter(Boolean).join(', ')}`, name);
  }
}

function namesIn(options: object): string[] {
  if (typeof options !== 'object' || options === null)
    throw badArgument('options', 'an object', options);
  try {
    return Object.keys(options);
  } catch (cause) {
    throw producerError('ERR_ARGUMENT', 'options', cause);
  }
}

/** An option, or what it is by default. Throws ERR_ARGUMENT where its getter throws, and for `null`. */
export function readOption<T extends object, K extends keyof T & string, D = undefined>(
  options: T,
  key: K,
  otherwise?: D,
): Exclude<T[K], undefined> | D {
  try {
    const value = options[key];
    return value === undefined ? (otherwise as D) : (value as Exclude<T[K], undefined>);
  } catch (cause) {
    throw producerError('ERR_ARGUMENT', key, cause);
  }
}

/** The argument `axes`: one axis or a list of them, not yet known to be any. Throws ERR_ARGUMENT. */
export function readAxisList(value: unknown): unknown[] {
  if (typeof value === 'number') return [value];
  return readEntries(value, 'axes', 'a list of axes');
}

/** The different axes of `rank` that a list names, negative ones from the end. Throws ERR_ARGUMENT. */
export function toAxes(entries: readonly unknown[], rank: number): number[] {
  const axes: number[] = [];
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index] as number;
    if (!Number.isInteger(entry) || entry < -rank || entry >= rank) {
      throw badArgument(`axes[${index}]`, `an axis in ${-rank} .. ${rank - 1}`, entry);
    }
    const axis = entry < 0 ? entry + rank : entry + 0;
    if (axes.includes(axis)) throw badArgument(`axes[${index}]`, 'each axis once', entry);
    axes.push(axis);
  }
  return axes;
}

/** The argument `axes`: one axis or a list of different ones. Throws ERR_ARGUMENT, ERR_RANK_MISMATCH. */
export function readAxes(value: unknown, rank: number): number[] {
  return toAxes(readAxisList(value), rank);
}

/** The argument `shape` of a view: lengths of `least` or more. Throws ERR_ARGUMENT, ERR_RANK_MISMATCH. */
export function readLengths(value: unknown, least: 0 | -1): number[] {
  const entries = readEntries(value, 'shape', 'a list of lengths');
  for (let axis = 0; axis < entries.length; axis++) {
    const length = entries[axis];
    if (Number.isSafeInteger(length) && (length as number) >= least) continue;
    throw badArgument(`shape[${axis}]`, `a length of ${least} or more`, length);
  }
  return entries as number[];
}
