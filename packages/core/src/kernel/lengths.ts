import { mismatch } from '../errors/mismatch.js';
import { entryOf, lengthOf } from '../input/dict.js';
import { readCount } from '../input/integer.js';

/** Maximum number of axes of a range. */
export const MOST_RANGE_AXES = 3;

/** Indices have 32 bits in much code, and a `first` parameter is a uint32. */
const LONGEST = 2 ** 32 - 1;

/**
 * Reads the numbers of items along 1 to 3 axes. Throws ERR_ARGUMENT, ERR_TYPE, and ERR_OVERFLOW for
 * a number past 2^53 - 1.
 */
export function readLengths(value: unknown, path: string, least: number): number[] {
  const expected = 'a list of 1 to 3 numbers of items';
  const count = lengthOf(value, path, expected, 'ERR_ARGUMENT');
  if (count < 1 || count > MOST_RANGE_AXES) {
    throw mismatch('ERR_ARGUMENT', path, expected, `${count} numbers`);
  }
  const lengths: number[] = [];
  for (let axis = 0; axis < count; axis++) {
    const length = readCount(entryOf(value as readonly unknown[], axis, path), path, axis);
    if (length < least || length > LONGEST) {
      throw mismatch(
        'ERR_ARGUMENT',
        `${path}[${axis}]`,
        `a number of items in ${least} .. 2^32 - 1`,
        length,
      );
    }
    lengths.push(length);
  }
  return lengths;
}
