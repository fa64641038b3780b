import { type DescribedArray, describeArray } from '../descriptor/described-array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { DTypeLike } from '../dtype/dtype.js';
import { readDType } from '../dtype/read-dtype.js';
import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { toCount } from '../input/integer.js';
import { makeView, viewMask } from './make-view.js';

/**
 * Returns a view of the same bytes as another dtype, records included. Copies and converts nothing.
 *
 * If the itemsize differs, the last axis must be contiguous. Each of its elements must then be a
 * whole number of new ones; for a larger itemsize, all its bytes together must be. Corresponds to
 * NumPy's `view`. Throws ERR_TYPE and whatever `dtype` throws, ERR_DISPOSED, ERR_NOT_A_VIEW, and
 * ERR_MASK if the mask distinguishes elements of the last axis.
 *
 * @example
 * ```ts
 * import { fromProducer, view } from '@array-interface/core';
 *
 * const words = fromProducer(new Uint32Array(2));
 * console.log(view(words, 'uint8').shape); // [ 8 ]
 * ```
 */
export function view(array: DescribedArray, dtype: DTypeLike): ArrayDescriptor {
  const from = describeArray(array, 'array');
  const to = readDType(dtype, 'dtype');
  const { shape, byteStrides, mask } = from;
  const size = to.itemsize;
  if (size === from.itemsize) return makeView(from, { shape, byteStrides, dtype: to }, mask);
  const last = {
    shape: [...shape.slice(0, -1), lengthOf(from, size)],
    byteStrides: [...byteStrides.slice(0, -1), size],
  };
  const uniform = mask === null || (mask.shape.at(-1) ?? 1) === 1;
  return makeView(
    from,
    { ...last, dtype: to },
    uniform
      ? mask
      : viewMask(from, (its) => {
          throw notAView(its, size);
        }),
  );
}

/**
 * Returns the length of the last axis in elements of another itemsize. Throws ERR_NOT_A_VIEW,
 * ERR_OVERFLOW.
 */
function lengthOf(array: ArrayDescriptor, to: number): number {
  const { shape, byteStrides, itemsize } = array;
  const length = shape.at(-1);
  const dense = array.size === 0 || length === 1 || byteStrides.at(-1) === itemsize;
  if (length === undefined || !dense) throw notAView(array, to);
  const bytes = BigInt(length) * BigInt(itemsize);
  const fits = to < itemsize ? itemsize % to === 0 : bytes % BigInt(to) === 0n;
  if (fits) return toCount(bytes / BigInt(to), 'dtype');
  throw notAView(array, to);
}

function notAView(array: ArrayDescriptor, to: number): ArrayInterfaceError {
  const { shape, byteStrides, itemsize } = array;
  return mismatch(
    'ERR_NOT_A_VIEW',
    'dtype',
    `a contiguous last axis that divides into elements of ${to} bytes`,
    `shape ${showList(shape)} of ${itemsize} bytes at byte strides ${showList(byteStrides)}`,
    'copy the array first',
  );
}
