import { readList } from './dict.js';
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

/** The entries of a list, each read once. Throws ERR_ARGUMENT. */
export function readEntries(value: unknown, path: string, expected: string): unknown[] {
  if (Array.isArray(value)) return readList(value, path, expected);
  throw badArgument(path, expected, value);
}
