import { badArgument } from './argument.js';
import { broadcastTo } from './broadcast-to.js';
import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { sameShape } from './layout.js';
import { showList } from './show.js';

/**
 * Views of all arrays in the one shape that they broadcast to; an array that has it already is
 * returned as it is, the others as `broadcastTo` makes them. Array API standard `broadcast_arrays`.
 * Does not copy. Throws ERR_TYPE, ERR_ARGUMENT, ERR_OVERFLOW, ERR_MASK.
 */
export function broadcastArrays(...arrays: readonly ArrayDescriptor[]): ArrayDescriptor[] {
  const shape: number[] = [];
  for (const [index, array] of arrays.entries()) {
    assertArrayDescriptor(array, `arrays[${index}]`);
    join(shape, array.shape, `arrays[${index}]`);
  }
  return arrays.map((array) => (sameShape(array.shape, shape) ? array : broadcastTo(array, shape)));
}

/** Makes `shape` what it and `other` broadcast to. */
function join(shape: number[], other: readonly number[], path: string): void {
  while (shape.length < other.length) shape.unshift(1);
  const missing = shape.length - other.length;
  for (const [axis, length] of other.entries()) {
    const known = shape[axis + missing];
    if (known === 1) shape[axis + missing] = length;
    else if (length !== 1 && length !== known) {
      throw badArgument(
        path,
        `a shape that broadcasts with ${showList(shape)}`,
        other,
        showList(other),
      );
    }
  }
}
