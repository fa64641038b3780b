import { type DescribedArray, describeArray } from '../descriptor/described-array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { broadcasts, readShape, sameShape } from '../input/shape.js';
import { repeat, viewMask } from './make-view.js';

/**
 * Returns a view that repeats axes of length 1 and adds missing leading axes until its shape is
 * `shape`. Copies nothing.
 *
 * Repeated elements share memory, so the view is read-only, as in NumPy, even if nothing is
 * repeated. Array API standard `broadcast_to`. Throws ERR_SHAPE_MISMATCH, ERR_MASK, ERR_DISPOSED,
 * and what the readers throw for a shape.
 *
 * @example
 * ```ts
 * import { broadcastTo, fromProducer } from '@array-interface/core';
 *
 * const row = fromProducer(new Float32Array([1, 2, 3]));
 * console.log(broadcastTo(row, [2, 3]).byteStrides); // [ 0, 4 ]
 * ```
 */
export function broadcastTo(array: DescribedArray, shape: readonly number[]): ArrayDescriptor {
  const from = describeArray(array, 'array');
  const target = readShape(shape, 'shape');
  if (!broadcasts(from.shape, target)) {
    throw mismatch(
      'ERR_SHAPE_MISMATCH',
      'shape',
      `a shape that ${showList(from.shape)} broadcasts to`,
      showList(target),
    );
  }
  return repeat(
    from,
    target,
    viewMask(from, (mask) => broadcastTo(mask, target)),
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
export function broadcastArrays(...arrays: readonly DescribedArray[]): ArrayDescriptor[] {
  const paths = arrays.map((_, index) => `arrays[${index}]`);
  return broadcastNamed(
    arrays.map((array, index) => describeArray(array, paths[index] as string)),
    paths,
  );
}

/** `broadcastArrays` with a path for each array in errors. */
export function broadcastNamed(
  arrays: readonly ArrayDescriptor[],
  paths: readonly string[],
): ArrayDescriptor[] {
  const shape: number[] = [];
  for (const [index, array] of arrays.entries()) join(shape, array.shape, `${paths[index]}.shape`);
  return arrays.map((array) => (sameShape(array.shape, shape) ? array : broadcastTo(array, shape)));
}

/**
 * Returns the one shape that all shapes broadcast to; `[]` for none.
 *
 * Axes correspond from the last to the first. Each has the same length in all shapes that have it,
 * or 1. Array API standard `broadcast_shapes`. Throws ERR_SHAPE_MISMATCH with the path of the first
 * axis that does not fit the shapes before it (`shapes[1][0]`), and what the readers throw for a
 * shape.
 *
 * @example
 * ```ts
 * import { broadcastShapes } from '@array-interface/core';
 *
 * console.log(broadcastShapes([480, 640, 3], [3], [640, 1])); // [ 480, 640, 3 ]
 * ```
 */
export function broadcastShapes(...shapes: readonly (readonly number[])[]): number[] {
  const shape: number[] = [];
  for (const [index, one] of shapes.entries()) {
    join(shape, readShape(one, `shapes[${index}]`), `shapes[${index}]`);
  }
  return shape;
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
        `${path}[${axis}]`,
        `a shape that broadcasts with ${showList(shape)}`,
        showList(other),
      );
    }
  }
}
