import { type DescribedArray, describeArray } from '../descriptor/described-array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { badArgument } from '../input/argument.js';
import { entryOf, lengthOf } from '../input/dict.js';
import { makeView, viewMask } from './make-view.js';

/**
 * The part of one axis to take. `null` takes the whole axis. A number takes that element and drops
 * the axis; negative numbers count from the end. `[start, stop, step?]` is Python's
 * `start:stop:step`: null means an absent part, and a step may be negative.
 */
export type SliceRange =
  | null
  | number
  | readonly [start: number | null, stop: number | null, step?: number | null];

/** The part of one axis that a view takes. */
export interface Cut {
  /** Index of the first element. */
  readonly start: number;
  /** Number of elements. */
  readonly length: number;
  readonly step: number;
  /** Whether the view drops the axis. */
  readonly drop: boolean;
}

/**
 * Returns a view of part of each axis. Copies nothing.
 *
 * Starts, stops and steps count elements. Axes without a range stay whole. Ranges are clamped as in
 * NumPy; single indices are not. Array API standard, "Indexing". Throws ERR_TYPE, ERR_ARGUMENT,
 * ERR_MASK, ERR_DISPOSED.
 *
 * @example
 * ```ts
 * import { fromProducer, reshape, slice } from '@array-interface/core';
 *
 * const image = reshape(fromProducer(new Uint8Array(480 * 640 * 3)), [480, 640, 3]);
 * const part = slice(image, [[10, 20], [null, null, -1], 0]); // image[10:20, ::-1, 0] in NumPy
 * console.log(part.shape); // [ 10, 640 ]
 * ```
 */
export function slice(array: DescribedArray, ranges: readonly SliceRange[]): ArrayDescriptor {
  const from = describeArray(array, 'array');
  const { shape, ndim } = from;
  const count = lengthOf(ranges, 'ranges', 'a list with a range for each axis', 'ERR_ARGUMENT');
  if (count > ndim) throw badArgument('ranges', `at most ${ndim} ranges`, count);
  const cuts: Cut[] = [];
  for (let axis = 0; axis < ndim; axis++) {
    const range = axis < count ? entryOf(ranges, axis, 'ranges') : null;
    cuts.push(cut(range, shape[axis] as number, axis));
  }
  return cutView(from, cuts);
}

/** Returns the view with this part of each axis. Throws what `makeView` and `viewMask` throw. */
export function cutView(array: ArrayDescriptor, cuts: readonly Cut[]): ArrayDescriptor {
  const shape: number[] = [];
  const byteStrides: number[] = [];
  let shift = 0;
  for (let axis = 0; axis < cuts.length; axis++) {
    const { start, length, step, drop } = cuts[axis] as Cut;
    const stride = array.byteStrides[axis] as number;
    shift += start * stride;
    if (drop) continue;
    shape.push(length);
    byteStrides.push(scale(stride, step));
  }
  return makeView(
    array,
    { shape, byteStrides, shift },
    viewMask(array, (mask) => cutView(mask, cuts)),
  );
}

function cut(range: unknown, length: number, axis: number): Cut {
  if (typeof range === 'number') return pick(range, length, axis);
  if (range === null || range === undefined) return { start: 0, length, step: 1, drop: false };
  const expected = 'null, an index or [start, stop, step]';
  const count = lengthOf(range, 'ranges', expected, 'ERR_ARGUMENT', axis);
  if (count !== 2 && count !== 3) throw badArgument(`ranges[${axis}]`, expected, range);
  const first = readPart(range, 0, axis);
  const end = readPart(range, 1, axis);
  const step = (count === 3 ? readPart(range, 2, axis) : null) ?? 1;
  if (step === 0) throw badArgument(`ranges[${axis}][2]`, 'a step other than 0', step);
  const far = step * Number.POSITIVE_INFINITY;
  const low = step > 0 ? 0 : -1;
  const start = bound(first ?? -far, length, low);
  const stop = bound(end ?? far, length, low);
  return { start, length: stepsTo(stop - start, step), step, drop: false };
}

/** Counts the elements before `distance`, one each step; exact for all safe integers. */
function stepsTo(distance: number, step: number): number {
  const last = Math.abs(distance) - 1;
  if (last < 0 || distance > 0 !== step > 0) return 0;
  return (last - (last % Math.abs(step))) / Math.abs(step) + 1;
}

function pick(index: number, length: number, axis: number): Cut {
  if (Number.isInteger(index) && index >= -length && index < length) {
    return { start: index < 0 ? index + length : index, length: 1, step: 1, drop: true };
  }
  throw badArgument(`ranges[${axis}]`, `an index in ${-length} .. ${length - 1}`, index);
}

function readPart(range: unknown, part: number, axis: number): number | null {
  const value = entryOf(range, part, 'ranges', axis);
  if (value === null || value === undefined) return null;
  if (Number.isSafeInteger(value)) return value as number;
  throw badArgument(`ranges[${axis}][${part}]`, 'an integer or null', value);
}

/** Returns a start or stop as an index in `low` … `low + length`. */
function bound(part: number, length: number, low: number): number {
  return Math.min(Math.max(part < 0 ? part + length : part, low), low + length);
}

/** If the product does not fit, there is at most one element, whose stride has no meaning. */
function scale(stride: number, step: number): number {
  const product = stride * step;
  return Number.isSafeInteger(product) ? product + 0 : stride;
}
