import { type DescribedArray, describeArray } from '../descriptor/described-array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { badArgument, readAxes } from '../input/argument.js';
import { makeView, viewMask } from './make-view.js';
import { cutView } from './slice.js';

/**
 * Returns a view whose axis `i` is axis `axes[i]` of `array`. Copies nothing.
 *
 * Each axis is named once; negative axes count from the end. Array API standard `permute_dims`.
 * Throws ERR_TYPE, ERR_ARGUMENT, ERR_RANK_MISMATCH (a list longer than the maximum number of axes),
 * ERR_MASK, ERR_DISPOSED.
 *
 * @example
 * ```ts
 * import { fromProducer, permuteDims, reshape } from '@array-interface/core';
 *
 * const image = reshape(fromProducer(new Uint8Array(480 * 640 * 3)), [480, 640, 3]);
 * console.log(permuteDims(image, [2, 0, 1]).shape); // [ 3, 480, 640 ]
 * ```
 */
export function permuteDims(array: DescribedArray, axes: readonly number[]): ArrayDescriptor {
  const from = describeArray(array, 'array');
  const order = readAxes(axes, from.ndim);
  if (order.length !== from.ndim) {
    throw badArgument('axes', `all ${from.ndim} axes, including those that stay`, order.length);
  }
  const shape: number[] = [];
  const byteStrides: number[] = [];
  for (const axis of order) {
    shape.push(from.shape[axis] as number);
    byteStrides.push(from.byteStrides[axis] as number);
  }
  return makeView(
    from,
    { shape, byteStrides },
    viewMask(from, (mask) => permuteDims(mask, order)),
  );
}

/**
 * Returns a view with the axes reversed; `permuteDims` accepts any order. Copies nothing. Throws
 * ERR_TYPE, ERR_MASK, ERR_DISPOSED.
 */
export function transpose(array: DescribedArray): ArrayDescriptor {
  const from = describeArray(array, 'array');
  return permuteDims(from, [...from.shape.keys()].reverse());
}

/**
 * Returns a view with the elements reversed along one axis, several axes or, without `axes`, all of
 * them. Copies nothing.
 *
 * Negative axes count from the end. Array API standard `flip`. Throws ERR_TYPE, ERR_ARGUMENT,
 * ERR_RANK_MISMATCH (a list longer than the maximum number of axes), ERR_MASK, ERR_DISPOSED.
 *
 * @example
 * ```ts
 * import { flip, fromProducer, reshape } from '@array-interface/core';
 *
 * const image = reshape(fromProducer(new Uint8Array(480 * 640)), [480, 640]);
 * console.log(flip(image, 0).byteStrides); // [ -640, 1 ]
 * ```
 */
export function flip(array: DescribedArray, axes?: number | readonly number[]): ArrayDescriptor {
  const from = describeArray(array, 'array');
  const turned = axes === undefined ? null : readAxes(axes, from.ndim);
  const cuts = from.shape.map((length, axis) =>
    turned === null || turned.includes(axis)
      ? { start: length - 1, length, step: -1, drop: false }
      : { start: 0, length, step: 1, drop: false },
  );
  return cutView(from, cuts);
}
