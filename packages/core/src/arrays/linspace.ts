import type { DType } from '../dtype/dtype.js';
import { badArgument } from '../input/argument.js';
import { readDimension } from '../input/integer.js';
import type { TypedArray } from '../numbers/typed-array.js';
import { assertHolds } from './arange.js';
import type { Sequence } from './sequence.js';

/**
 * Returns `count` numbers from `start` to `stop`, as doubles with NumPy's rounding. Integers are
 * rounded down, as NumPy does it. Throws ERR_ARGUMENT, ERR_TYPE, ERR_NEGATIVE_DIMENSION, ERR_OVERFLOW
 * for numbers that an integer dtype cannot hold.
 */
export function linspace(
  start: number,
  stop: number,
  count: number,
  endpoint: boolean,
  type: DType,
): Sequence {
  for (const [path, value] of [
    ['start', start],
    ['stop', stop],
  ] as const) {
    if (typeof value !== 'number') throw badArgument(path, 'a number', value);
  }
  const length = readDimension(count, 'count');
  const parts = endpoint ? length - 1 : length;
  const delta = stop - start;
  const step = delta / parts;
  const isInteger = type.kind === 'i' || type.kind === 'u';
  // A step that underflows to 0 would make all elements equal.
  const offset =
    parts === 0
      ? (i: number) => i * delta
      : step === 0
        ? (i: number) => (i / parts) * delta
        : (i: number) => i * step;
  const numberAt = (at: number) => {
    const value = endpoint && at > 0 && at === length - 1 ? stop : offset(at) + start;
    return isInteger ? Math.floor(value) : value;
  };
  // All others are between these.
  if (isInteger && length > 0) for (const at of [0, length - 1]) assertHolds(type, numberAt(at));
  return {
    length,
    elements: 'float64',
    write(elements: TypedArray, first: number): void {
      for (let i = 0; i < elements.length; i++) elements[i] = numberAt(first + i);
    },
  };
}
