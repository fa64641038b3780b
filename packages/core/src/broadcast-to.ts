import { badArgument } from './argument.js';
import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { broadcasts } from './layout.js';
import { readLengths } from './lengths.js';
import { repeat } from './repeat.js';
import { showList } from './show.js';
import { viewMask } from './view-mask.js';

/**
 * A view in which axes of length 1 and missing first axes are repeated until the shape is `shape`.
 * It is read-only, as in NumPy, whether anything is repeated or not: elements share their place.
 * Array API standard `broadcast_to`. Does not copy. Throws ERR_TYPE, ERR_ARGUMENT,
 * ERR_RANK_MISMATCH, ERR_OVERFLOW, ERR_MASK.
 */
export function broadcastTo(array: ArrayDescriptor, shape: readonly number[]): ArrayDescriptor {
  assertArrayDescriptor(array, 'array');
  const target = readLengths(shape, 0);
  if (!broadcasts(array.shape, target)) {
    throw badArgument(
      'shape',
      `a shape that ${showList(array.shape)} broadcasts to`,
      target,
      showList(target),
    );
  }
  return repeat(
    array,
    target,
    viewMask(array, (mask) => broadcastTo(mask, target)),
  );
}
