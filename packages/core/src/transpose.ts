import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { permuteDims } from './permute-dims.js';

/**
 * A view with the axes in reverse, or in the order of `axes` as in `permuteDims`. NumPy's
 * `transpose`. Does not copy. Throws ERR_TYPE, ERR_ARGUMENT, ERR_RANK_MISMATCH,
 * ERR_MASK.
 */
export function transpose(array: ArrayDescriptor, axes?: readonly number[]): ArrayDescriptor {
  assertArrayDescriptor(array, 'array');
  return permuteDims(array, axes === undefined ? [...array.shape.keys()].reverse() : axes);
}
