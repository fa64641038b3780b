import { type ArrayDescriptor, assertArrayDescriptor } from '../descriptor/descriptor.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { broadcasts, readShape, sameShape } from '../input/shape.js';
import { repeat, viewMask } from './make-view.js';

/**
 * Returns a view that repeats axes of length 1 and adds missing leading axes until its shape is
 * `shape`. Copies nothing.
 *
 * Repeated elements share memory, so the view is read-only, as in NumPy, even if nothing is
 * repeated. Array API standard `broadcast_to`. Throws ERR_SHAPE_MISMATCH, ERR_MASK, and what the
 * readers throw for a shape.
 *
 * @example
 * ```ts
 * import { broadcastTo, fromProducer } from '@array-interface/core';
 *
 * const row = fromProducer(new Float32Array([1, 2, 3]));
 * console.log(broadcastTo(row, [2, 3]).byteStrides); // [ 0, 4 ]
 * ```
 */
export function broadcastTo(array: ArrayDescriptor, shape: readonly number[]): ArrayDescriptor {
  assertArrayDescriptor(array, 'array');
  const target = readShape(shape, 'shape');
  if (!broadcasts(array.shape, target)) {
    throw mismatch(
      'ERR_SHAPE_MISMATCH',
      'shape',
      `a shape that ${showList(array.shape)} broadcasts to`,
      showList(target),
    );
  }
  return repeat(
    array,
    target,
    viewMask(array, (mask) => broadcastTo(mask, target)),
  );
}

/**
 * Returns views of all arrays in the one shape that they broadcast to. Copies nothing.
 *
 * Returns an array that already has the shape unchanged; `broadcastTo` makes the others. Array API
 * standard `broadcast_arrays`. Throws what `broadcastTo` throws.
 *
 * @example
 * ```ts
 * import { broadcastArrays, expandDims, fromProducer } from '@array-interface/core';
 *
 * const row = fromProducer(new Float32Array(3));
 * const column = expandDims(fromProducer(new Float32Array(2)), 1);
 * const [a, b] = broadcastArrays(column, row);
 * console.log(a?.shape, b?.shape); // [ 2, 3 ] [ 2, 3 ]
 * ```
 */
export function broadcastArrays(...arrays: readonly ArrayDescriptor[]): ArrayDescriptor[] {
  const shape: number[] = [];
  for (const [index, array] of arrays.entries()) {
    assertArrayDescriptor(array, `arrays[${index}]`);
    join(shape, array.shape, `arrays[${index}]`);
  }
  return arrays.map((array) => (sameShape(array.shape, shape) ? array : broadcastTo(array, shape)));
}

/** Broadcasts `shape` with `other`, in place. */
function join(shape: number[], other: readonly number[], path: string): void {
  while (shape.length < other.length) shape.unshift(1);
  const missing = shape.length - other.length;
  for (const [axis, length] of other.entries()) {
    const known = shape[axis + missing];
    if (known === 1) shape[axis + missing] = length;
    else if (length !== 1 && length !== known) {
      throw mismatch(
        'ERR_SHAPE_MISMATCH',
        path,
        `a shape that broadcasts with ${showList(shape)}`,
        showList(other),
      );
    }
  }
}
