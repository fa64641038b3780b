import { describeSource } from '../backend/access/describe-source.js';
import type { ArrayLike } from '../backend/interface/array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { DType } from '../dtype/dtype.js';
import { badArgument } from '../input/argument.js';
import { entryOf, lengthOf } from '../input/dict.js';
import type { Casting } from '../numbers/casting.js';
import { isPlainData, type NestedNumbers, plainArray } from '../numbers/plain-array.js';
import { checkMask } from '../plan/check-copy.js';
import type { Maker } from './work.js';

/** What functions of arrays take as an array: all that `array()` takes. */
export type Operand = ArrayLike | NestedNumbers;

/**
 * Returns the descriptor of anything that `array()` takes. Lists are read now; `like` is their
 * dtype, and `casting` says which numbers that takes. Throws what `array` throws, and ERR_MASK.
 */
export function describe(
  { backend, driver }: Maker,
  value: Operand,
  path: string,
  like?: DType,
  casting?: Casting,
): ArrayDescriptor {
  if (isPlainData(value)) return plainArray(value, like, casting && { casting });
  const array = describeSource(value, backend.protocol, driver, path, backend.name);
  checkMask(array, path);
  return array;
}

/**
 * Returns the descriptors of a list of arrays, of at least one. `like` and `casting` are for lists. Throws
 * ERR_ARGUMENT, and what `describe` throws.
 */
export function describeAll(
  maker: Maker,
  list: readonly Operand[],
  like: DType | undefined,
  casting: Casting | undefined,
): ArrayDescriptor[] {
  const count = lengthOf(list, 'arrays', 'a list of arrays', 'ERR_ARGUMENT');
  if (count === 0) throw badArgument('arrays', 'a list of at least one array', list, 'none');
  return Array.from({ length: count }, (_, index) =>
    describe(maker, entryOf(list, index, 'arrays') as Operand, `arrays[${index}]`, like, casting),
  );
}

/** Reads an axis of `ndim`; negative ones count from the end. Throws ERR_ARGUMENT. */
export function readAxis(value: unknown, ndim: number, path = 'axis'): number {
  const axis = value as number;
  if (Number.isInteger(axis) && axis >= -ndim && axis < ndim)
    return axis < 0 ? axis + ndim : axis + 0;
  const expected = ndim === 0 ? 'an array with an axis' : `an axis in ${-ndim} .. ${ndim - 1}`;
  throw badArgument(path, expected, value);
}

/** Reads the axis of a function whose arrays need none if they have only one. Throws ERR_ARGUMENT. */
export function readOnlyAxis(value: unknown, ndim: number): number {
  if (value !== undefined) return readAxis(value, ndim);
  if (ndim === 1) return 0;
  if (ndim === 0) return readAxis(0, 0);
  throw badArgument('axis', `an axis of the array's ${ndim}`, value, 'none');
}
