import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { entryOf, guarded, lengthOf, producerError } from './dict.js';
import { assertRank } from './shape.js';

/** Returns the error for an argument that a function does not accept. */
export function badArgument(
  path: string,
  expected: string,
  got: unknown,
  shown: string = show(got),
): ArrayInterfaceError {
  return mismatch('ERR_ARGUMENT', path, expected, shown);
}

/**
 * Throws ERR_ARGUMENT if `options` is not an object, or if an option is in none of the lists: a
 * misspelt option would otherwise be ignored.
 */
export function checkOptions(
  options: object,
  ...known: readonly (readonly string[] | undefined)[]
): void {
  for (const name of namesIn(options)) {
    if (known.some((names) => names?.includes(name))) continue;
    throw unknownOption(name, known.flat().filter(Boolean));
  }
}

/** Returns the error for an unknown option. It names the known ones. */
export function unknownOption(name: string, known: readonly unknown[]): ArrayInterfaceError {
  return badArgument(name, `one of the options ${known.join(', ')}`, name);
}

/** Returns the names of the own options of a caller's object. Throws ERR_ARGUMENT. */
export function namesIn(options: object): string[] {
  if (typeof options !== 'object' || options === null)
    throw badArgument('options', 'an object', options);
  return guarded('ERR_ARGUMENT', 'options', () => Object.keys(options));
}

/**
 * Reads an option, or its default. Throws ERR_ARGUMENT if its getter throws or `options` is null.
 */
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

/** Reads an optional boolean option. Throws ERR_ARGUMENT. */
export function readFlag<K extends string>(
  options: { readonly [key in K]?: boolean },
  key: K,
): boolean | undefined {
  const value: unknown = readOption(options, key);
  if (value === undefined || typeof value === 'boolean') return value;
  throw badArgument(key, 'true, false or undefined', value);
}

/**
 * Reads the argument `axes`, each axis once: one axis, or a list of different ones. Negative axes
 * count from the end. With `adds`, they are new axes and count among all. Throws ERR_TYPE,
 * ERR_ARGUMENT, ERR_RANK_MISMATCH.
 */
export function readAxes(value: unknown, ndim: number, adds = false): number[] {
  const list = typeof value === 'number' ? [value] : value;
  const count = lengthOf(list, 'axes', 'a list of axes', 'ERR_ARGUMENT');
  assertRank(count, 'axes');
  const rank = adds ? ndim + count : ndim;
  const axes: number[] = [];
  for (let index = 0; index < count; index++) {
    const entry = entryOf(list, index, 'axes') as number;
    if (!Number.isInteger(entry) || entry < -rank || entry >= rank) {
      throw badArgument(`axes[${index}]`, `an axis in ${-rank} .. ${rank - 1}`, entry);
    }
    const axis = entry < 0 ? entry + rank : entry + 0;
    if (axes.includes(axis)) throw badArgument(`axes[${index}]`, 'each axis once', entry);
    axes.push(axis);
  }
  return axes;
}
