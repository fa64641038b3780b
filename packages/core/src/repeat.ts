import { checkCounts } from './check-layout.js';
import type { ArrayDescriptor } from './descriptor.js';
import { makeView } from './make-view.js';

/**
 * `array` repeated to a shape that it broadcasts to: strides of 0, and read-only, for what is
 * written to one element would show in others. Throws ERR_RANK_MISMATCH, ERR_OVERFLOW, ERR_MASK.
 */
export function repeat(
  array: ArrayDescriptor,
  shape: readonly number[],
  mask: ArrayDescriptor | null,
): ArrayDescriptor {
  checkCounts(shape, array.itemsize, 'shape');
  const missing = shape.length - array.ndim;
  const strides = shape.map((_, axis) =>
    array.shape[axis - missing] === 1 ? 0 : (array.byteStrides[axis - missing] ?? 0),
  );
  return makeView(array, { shape, byteStrides: strides, readOnly: true }, mask);
}
