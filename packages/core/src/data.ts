import { asList, entryOf, lengthOf } from './dict.js';
import { ArrayInterfaceError } from './error.js';
import { readPointer } from './integer.js';
import { show } from './show.js';

/** `data` as a pair. */
export interface Data {
  readonly pointer: bigint;
  readonly readOnly: boolean;
}

/** Reads `[pointer, readOnly]`; with `null: true` a null pointer is 0. Throws ERR_TYPE, ERR_POINTER_RANGE. */
export function readPair(value: unknown, path: string, rules: { readonly null: boolean }): Data {
  const pair = asList(value, path, '[pointer, readOnly]');
  const length = lengthOf(pair, path, '[pointer, readOnly]');
  if (length !== 2) {
    throw new ArrayInterfaceError(
      'ERR_TYPE',
      path,
      `expected exactly [pointer, readOnly], got ${length} entries`,
    );
  }
  const first = entryOf(pair, 0, path);
  const readOnly = entryOf(pair, 1, path);
  const pointer = first === null && rules.null ? 0n : readPointer(first, path, 0);
  if (typeof readOnly === 'boolean') return { pointer, readOnly };
  throw new ArrayInterfaceError(
    'ERR_TYPE',
    `${path}[1]`,
    `expected true or false for the read-only flag, got ${show(readOnly)}`,
  );
}
