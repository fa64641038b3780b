import { readAxisList, toAxes } from './axis.js';
import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { reshape } from './reshape.js';

/**
 * A view with new axes of length 1, which are the axes `axes` of the view; negative ones count from
 * its end. Array API standard `expand_dims`. Does not copy. Throws ERR_TYPE, ERR_ARGUMENT,
 * ERR_RANK_MISMATCH, ERR_MASK.
 */
export function expandDims(
  array: ArrayDescriptor,
  axes: number | readonly number[],
): ArrayDescriptor {
  assertArrayDescriptor(array, 'array');
  const entries = readAxisList(axes);
  const added = toAxes(entries, array.ndim + entries.length).sort((a, b) => a - b);
  const shape = [...array.shape];
  for (const axis of added) shape.splice(axis, 0, 1);
  return reshape(array, shape);
}
