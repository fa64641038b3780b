import { entryOf, isList, lengthOf, producerError } from './dict.js';
import { ArrayInterfaceError } from './error.js';
import { show } from './show.js';

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
 * The entries of a list, each read once; `checkCount` is told how many there are before any is read,
 * and throws where they are too many. Throws ERR_TYPE (a list that cannot be read), ERR_ARGUMENT.
 */
export function readEntries(
  value: unknown,
  path: string,
  expected: string,
  checkCount: (count: number) => void,
): unknown[] {
  if (!isList(value, path)) throw badArgument(path, expected, value);
  const count = lengthOf(value, path, expected);
  checkCount(count);
  const entries = new Array<unknown>(count);
  for (let index = 0; index < count; index++) entries[index] = entryOf(value, index, path);
  return entries;
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
