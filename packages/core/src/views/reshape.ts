import { type DescribedArray, describeArray } from '../descriptor/described-array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { contiguousByteStrides } from '../descriptor/strides.js';
import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { badArgument, checkOptions, readAxes, readOption } from '../input/argument.js';
import { readShape, sizeOf } from '../input/shape.js';
import { makeView, viewMask } from './make-view.js';
import { cutView } from './slice.js';

/** Axes that merge into one, traversed from the last to the first. */
interface Run {
  length: number;
  readonly stride: number;
  readonly last: number;
  first: number;
}

/**
 * Returns a view of the same elements in another shape. Never copies: throws ERR_NOT_A_VIEW, which
 * names the axes that do not merge, if only a copy could have the shape.
 *
 * One length may be -1 and is then computed from the others. The last index changes fastest, or the
 * first if `order` is 'F'. A view exists exactly when NumPy finds one. Array API standard `reshape`
 * with `copy=False`. Also throws ERR_SHAPE_MISMATCH, ERR_ARGUMENT, ERR_MASK, and what the readers
 * throw for a shape.
 *
 * @example
 * ```ts
 * import { fromProducer, reshape } from '@array-interface/core';
 *
 * const values = fromProducer(new Float32Array(6));
 * console.log(reshape(values, [2, -1]).shape); // [ 2, 3 ]
 * ```
 */
export function reshape(
  array: DescribedArray,
  shape: readonly number[],
  options: { readonly order?: 'C' | 'F' } = {},
): ArrayDescriptor {
  const from = describeArray(array, 'array');
  checkOptions(options, ['order']);
  const order = readOption(options, 'order', 'C');
  if (order !== 'C' && order !== 'F') throw badArgument('order', "'C' or 'F'", order);
  const target = readTarget(shape, from.size);
  return makeView(
    from,
    { shape: target, byteStrides: stridesFor(from, target, order === 'F') },
    viewMask(from, (mask) => reshape(mask, target, { order })),
  );
}

/** Reads a shape of `size` elements; one length may be -1. */
export function readTarget(value: unknown, size: number): number[] {
  const shape = readShape(value, 'shape', -1);
  const unknown = shape.indexOf(-1);
  const known = Math.abs(sizeOf(shape));
  if (unknown !== shape.lastIndexOf(-1)) {
    throw badArgument('shape', 'at most one -1', shape, showList(shape));
  }
  if (unknown === -1 ? known !== size : size % known !== 0) {
    throw mismatch('ERR_SHAPE_MISMATCH', 'shape', `a shape of ${size} elements`, showList(shape));
  }
  if (unknown !== -1) shape[unknown] = size / known;
  return shape;
}

/** Gives each new axis a part of one run. Order F is C with all axes reversed. */
function stridesFor(
  array: ArrayDescriptor,
  shape: readonly number[],
  reverse: boolean,
): readonly number[] {
  if (array.size === 0) return contiguousByteStrides(shape, array.itemsize);
  const runs = runsOf(array, reverse);
  const rank = shape.length;
  const strides = new Array<number>(rank);
  let current = 0;
  let taken = 1;
  for (let step = 0; step < rank; step++) {
    const axis = reverse ? step : rank - 1 - step;
    const length = shape[axis] as number;
    if (length > 1 && taken === (runs[current] as Run).length) {
      current++;
      taken = 1;
    }
    const run = runs[current] as Run;
    const stride = run.stride * taken;
    strides[axis] = Number.isSafeInteger(stride) ? stride : 0; // otherwise the axis has length 1
    taken *= length;
    if (run.length % taken !== 0) throw notAView(array, run.first, (runs[current + 1] as Run).last);
  }
  return strides;
}

/** Merges adjacent axes if a step of the outer axis is as long as the whole inner axis. */
function runsOf(array: ArrayDescriptor, reverse: boolean): Run[] {
  const { ndim, shape, byteStrides } = array;
  const runs: Run[] = [];
  let inner: Run | null = null;
  for (let step = 0; step < ndim; step++) {
    const axis = reverse ? step : ndim - 1 - step;
    const length = shape[axis] as number;
    const stride = byteStrides[axis] as number;
    if (length === 1) continue;
    if (inner !== null && stride === inner.length * inner.stride) {
      inner.length *= length;
      inner.first = axis;
    } else {
      inner = { length, stride, first: axis, last: axis };
      runs.push(inner);
    }
  }
  return runs.length > 0 ? runs : [{ length: 1, stride: array.itemsize, first: 0, last: 0 }];
}

function notAView(array: ArrayDescriptor, ...axes: number[]): ArrayInterfaceError {
  const [outer, inner] = axes.sort((a, b) => a - b);
  return mismatch(
    'ERR_NOT_A_VIEW',
    'shape',
    `a shape that keeps axes ${outer} and ${inner} of ${showList(array.shape)} separate, since they do not merge`,
    `one that merges them at byte strides ${showList(array.byteStrides)}`,
    'copy the array first',
  );
}

/**
 * Returns a view with new axes of length 1. Copies nothing.
 *
 * `axes` are positions in the view; negative ones count from its end. Array API standard
 * `expand_dims`. Throws ERR_TYPE, ERR_ARGUMENT, ERR_RANK_MISMATCH, ERR_MASK, ERR_DISPOSED.
 *
 * @example
 * ```ts
 * import { expandDims, fromProducer, reshape } from '@array-interface/core';
 *
 * const image = reshape(fromProducer(new Uint8Array(480 * 640)), [480, 640]);
 * console.log(expandDims(image, 0).shape); // [ 1, 480, 640 ]
 * ```
 */
export function expandDims(
  array: DescribedArray,
  axes: number | readonly number[],
): ArrayDescriptor {
  const from = describeArray(array, 'array');
  const added = readAxes(axes, from.ndim, true).sort((a, b) => a - b);
  const shape = [...from.shape];
  for (const axis of added) shape.splice(axis, 0, 1);
  return reshape(from, shape);
}

/**
 * Returns a view without the named axes, each of which must have length 1. Copies nothing.
 *
 * The axes are required, so that a batch of one stays a batch. Array API standard `squeeze`. Throws
 * ERR_TYPE, ERR_ARGUMENT, ERR_RANK_MISMATCH (a list longer than the maximum number of axes),
 * ERR_MASK, ERR_DISPOSED.
 *
 * @example
 * ```ts
 * import { fromProducer, reshape, squeeze } from '@array-interface/core';
 *
 * const batch = reshape(fromProducer(new Uint8Array(480 * 640)), [1, 480, 640]);
 * console.log(squeeze(batch, 0).shape); // [ 480, 640 ]
 * ```
 */
export function squeeze(array: DescribedArray, axes: number | readonly number[]): ArrayDescriptor {
  const from = describeArray(array, 'array');
  const { shape, ndim } = from;
  const dropped = readAxes(axes, ndim);
  for (const [index, axis] of dropped.entries()) {
    if (shape[axis] !== 1) throw badArgument(`axes[${index}]`, 'an axis of length 1', axis);
  }
  const cuts = shape.map((length, axis) => {
    return { start: 0, length, step: 1, drop: dropped.includes(axis) };
  });
  return cutView(from, cuts);
}
