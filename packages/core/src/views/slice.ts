import { type ArrayDescriptor, assertArrayDescriptor } from '../descriptor/descriptor.js';
import { badArgument, readEntries } from '../input/argument.js';
import { makeView, viewMask } from './make-view.js';

/**
 * What to take of one axis. `null`: all of it. A number: that element, and the axis is gone; negative
 * ones count from the end. `[start, stop, step?]`: as `start:stop:step` in Python, where null stands
 * for an absent part and a step may be negative.
 */
export type SliceRange =
  | null
  | number
  | readonly [start: number | null, stop: number | null, step?: number | null];

interface Cut {
  /** Index of the first element. */
  readonly start: number;
  /** Number of elements. */
  readonly length: number;
  readonly step: number;
  /** Whether the axis goes. */
  readonly drop: boolean;
}

/**
 * A view of part of each axis: `slice(image, [[10, 20], [null, null, -1], 0])`. Starts, stops and
 * steps count elements. Axes without a range stay whole; ranges are clamped as in NumPy, single
 * indices are not. Array API standard, "Indexing". Does not copy. Throws ERR_TYPE, ERR_ARGUMENT,
 * ERR_MASK.
 */
export function slice(array: ArrayDescriptor, ranges: readonly SliceRange[]): ArrayDescriptor {
  assertArrayDescriptor(array, 'array');
  const entries = readRanges(ranges, array.ndim);
  const cuts = array.shape.map((length, axis) =>
    cut(entries[axis] ?? null, length, `ranges[${axis}]`),
  );
  return taken(array, cuts);
}

function taken(array: ArrayDescriptor, cuts: readonly Cut[]): ArrayDescriptor {
  const kept = [...cuts.keys()].filter((axis) => cuts[axis]?.drop === false);
  const stride = (axis: number) => array.byteStrides[axis] as number;
  const view = {
    shape: kept.map((axis) => (cuts[axis] as Cut).length),
    byteStrides: kept.map((axis) => scale(stride(axis), (cuts[axis] as Cut).step)),
    shift: cuts.reduce((sum, one, axis) => sum + one.start * stride(axis), 0),
  };
  return makeView(
    array,
    view,
    viewMask(array, (mask) => taken(mask, cuts)),
  );
}

function readRanges(value: unknown, rank: number): unknown[] {
  return readEntries(value, 'ranges', 'a list with a range for each axis', (count) => {
    if (count > rank) throw badArgument('ranges', `at most ${rank} ranges`, count);
  });
}

function cut(range: unknown, length: number, path: string): Cut {
  if (typeof range === 'number') return pick(range, length, path);
  const expected = 'null, an index or [start, stop, step]';
  const parts = readEntries(range ?? [null, null], path, expected, (count) => {
    if (count !== 2 && count !== 3) throw badArgument(path, expected, range);
  });
  const read = (part: 0 | 1 | 2) => readPart(parts[part], `${path}[${part}]`);
  const step = read(2) ?? 1;
  if (step === 0) throw badArgument(`${path}[2]`, 'a step other than 0', step);
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  const bound = (part: number | null, absent: number) =>
    part === null ? absent : clamp(part < 0 ? part + length : part, low, high);
  const start = bound(read(0), step > 0 ? low : high);
  const stop = bound(read(1), step > 0 ? high : low);
  return { start, length: stepsTo(stop - start, step), step, drop: false };
}

/** How many steps from a start reach short of `distance`; exact for all safe integers. */
function stepsTo(distance: number, step: number): number {
  const last = Math.abs(distance) - 1;
  if (last < 0 || distance > 0 !== step > 0) return 0;
  return (last - (last % Math.abs(step))) / Math.abs(step) + 1;
}

function pick(index: number, length: number, path: string): Cut {
  if (Number.isInteger(index) && index >= -length && index < length) {
    return { start: index < 0 ? index + length : index, length: 1, step: 1, drop: true };
  }
  throw badArgument(path, `an index in ${-length} .. ${length - 1}`, index);
}

function readPart(value: unknown, path: string): number | null {
  if (value === null || value === undefined) return null;
  if (Number.isSafeInteger(value)) return value as number;
  throw badArgument(path, 'an integer or null', value);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Where the product does not fit there is but one element, whose stride means nothing. */
function scale(stride: number, step: number): number {
  const product = stride * step;
  return Number.isSafeInteger(product) ? product + 0 : stride;
}
