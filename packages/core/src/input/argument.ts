import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
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
  return mismatch('ERR_ARGUMENT', path, expected, shown);
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

/**
 * The argument `axes`: one axis or a list of different ones, negative ones from the end; each is read
 * once. Those that `adds` says are new count among all. Throws ERR_TYPE, ERR_ARGUMENT, ERR_RANK_MISMATCH.
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
