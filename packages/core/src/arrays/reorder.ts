import type { ArrayLike, BackendArray, OwnedArray } from '../backend/interface/array.js';
import type { AxisOption, RollOptions } from '../backend/interface/function-options.js';
import type { EmptyOptions } from '../backend/interface/options.js';
import { type ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import { isArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { badArgument } from '../input/argument.js';
import { entryOf, lengthOf } from '../input/dict.js';
import { readCount, readDimension, toCount } from '../input/integer.js';
import { readShape } from '../input/shape.js';
import { newBuffer } from '../plan/copy-buffers.js';
import { reshape } from '../views/reshape.js';
import { describe, type Operand, readAxis } from './operand.js';
import { take } from './take.js';
import { inOrder, type Maker, placed, type Work } from './work.js';

/** Repeats a whole array along each axis. */
export async function tile<A extends BackendArray>(
  maker: Maker<A>,
  given: Operand,
  repetitions: readonly number[],
  options: EmptyOptions,
): Promise<OwnedArray<A>> {
  const array = describe(maker, given, 'array');
  const counts = readShape(repetitions, 'repetitions');
  const rank = Math.max(array.ndim, counts.length);
  const whole = reshape(array, [...onesFor(rank - array.ndim), ...array.shape]);
  return repeated(maker, whole, [...onesFor(rank - counts.length), ...counts], 'axis', options);
}

function onesFor(count: number): number[] {
  return new Array<number>(count).fill(1);
}

/** Repeats each element, along an axis or in C order. */
export async function repeat<A extends BackendArray>(
  maker: Maker<A>,
  given: Operand,
  repeats: number | readonly number[],
  { axis: along, ...options }: AxisOption & EmptyOptions,
): Promise<OwnedArray<A>> {
  const array = describe(maker, given, 'array');
  const counts = readRepeats(repeats);
  const repeatOf = (one: ArrayDescriptor, axis: number, place: EmptyOptions) => {
    if (typeof counts === 'number') {
      const all = one.shape.map((_, other) => (other === axis ? counts : 1));
      return repeated(maker, one, all, 'elements', place);
    }
    const total = totalOf(counts, one.shape[axis] as number, axis);
    if (total > LONG_RUN * counts.length) return inRuns(maker, one, counts, axis, total, place);
    return take(maker, one, indicesOf(counts, total), { ...place, axis });
  };
  if (along !== undefined) return repeatOf(array, readAxis(along, array.ndim), options);
  const flat = asView(array, [array.size]);
  if (flat !== null) return repeatOf(flat, 0, options);
  const { byteStrides: _, ...place } = placed(maker, options, array);
  using dense = await maker.backend.array(array, { ...place, shape: [array.size] });
  return await repeatOf(dense.descriptor, 0, { ...options, ...place });
}

/** A list of one count is for all elements. */
function readRepeats(repeats: unknown): number | readonly number[] {
  if (!Array.isArray(repeats)) return readDimension(repeats, 'repeats');
  const count = lengthOf(repeats, 'repeats', 'a count, or a list of counts', 'ERR_ARGUMENT');
  const counts = Array.from({ length: count }, (_, index) =>
    readDimension(entryOf(repeats, index, 'repeats'), 'repeats', index),
  );
  return counts.length === 1 ? (counts[0] as number) : counts;
}

/** Elements that are repeated more often on average are copied one by one. */
const LONG_RUN = 64;

/**
 * The sum of the counts. Throws ERR_SHAPE_MISMATCH unless there is one for each element, and
 * ERR_OVERFLOW.
 */
function totalOf(counts: readonly number[], length: number, axis: number): number {
  if (counts.length !== length) {
    const expected = `${length} counts, one for each element of axis ${axis}`;
    throw mismatch('ERR_SHAPE_MISMATCH', 'repeats', expected, counts.length);
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  return toCount(BigInt(total), 'repeats');
}

/** Each index of the axis as often as its count says. */
function indicesOf(counts: readonly number[], total: number): ArrayLike {
  const indices = new BigInt64Array(newBuffer(total * 8));
  let at = 0;
  for (const [index, count] of counts.entries()) {
    indices.fill(BigInt(index), at, at + count);
    at += count;
  }
  return indices;
}

/** Copies each element along an axis to where it is repeated: indices would take more memory. */
function inRuns<A extends BackendArray>(
  maker: Maker<A>,
  array: ArrayDescriptor,
  counts: readonly number[],
  axis: number,
  total: number,
  options: EmptyOptions,
): Promise<OwnedArray<A>> {
  return inOrder(maker, {}, (work) => {
    const source = work.hold(array, 'array');
    const made = work.make(array.shape.with(axis, total), array.dtype, options, array);
    let at = 0;
    for (const [index, count] of counts.entries()) {
      if (count > 0)
        work.copy(part(made.descriptor, axis, at, count), part(source, axis, index, 1));
      at += count;
    }
    return made;
  });
}

/**
 * Repeats along each axis, in one copy: an axis of the source that repeats its elements, or is
 * repeated as a whole, is two axes, one of which has a stride of 0.
 */
function repeated<A extends BackendArray>(
  maker: Maker<A>,
  array: ArrayDescriptor,
  counts: readonly number[],
  of: 'axis' | 'elements',
  options: EmptyOptions,
): Promise<OwnedArray<A>> {
  const path = of === 'axis' ? 'repetitions' : 'repeats';
  const shape = array.shape.map((length, axis) =>
    toCount(BigInt(length) * BigInt(counts[axis] as number), path),
  );
  return inOrder(maker, {}, (work) => {
    const made = work.make(shape, array.dtype, options, array);
    if (made.size > 0) work.copy(...inParts(made.descriptor, array, counts, of));
    return made;
  });
}

/** Both sides with two axes for each of the source's, without those of length 1. */
function inParts(
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  counts: readonly number[],
  of: 'axis' | 'elements',
): [to: ArrayDescriptor, from: ArrayDescriptor] {
  const axes = from.shape.flatMap((length, axis) => {
    const count = counts[axis] as number;
    const [target, source] = [to.byteStrides[axis] as number, from.byteStrides[axis] as number];
    const isWhole = of === 'axis';
    const again = { length: count, to: isWhole ? target * length : target, from: 0 };
    const next = { length, to: isWhole ? target : target * count, from: source };
    return isWhole ? [again, next] : [next, again];
  });
  const kept = axes.filter(({ length }) => length > 1);
  const seen = (side: ArrayDescriptor, key: 'to' | 'from') =>
    replace(side, {
      shape: kept.map(({ length }) => length),
      byteStrides: kept.map((axis) => axis[key]) as never,
    });
  return [seen(to, 'to'), seen(from, 'from')];
}

/** How far elements move along an axis: 0 to its length. */
interface Shift {
  readonly axis: number;
  readonly by: number;
}

/** Axes that are shifted at a time, in twice as many copies for each. */
const AXES_AT_ONCE = 4;

/** Moves elements along axes, or in C order; those that leave come back at the other end. */
export async function roll<A extends BackendArray>(
  maker: Maker<A>,
  given: Operand,
  shift: number | readonly number[],
  { axis: along, ...options }: RollOptions & EmptyOptions,
): Promise<OwnedArray<A>> {
  const array = describe(maker, given, 'array');
  if (along !== undefined) return rolled(maker, array, readShifts(array, shift, along), options);
  const by = within(readCount(shift, 'shift'), array.size);
  const flat = asView(array, [array.size]);
  if (flat !== null && options.byteStrides === undefined) {
    return rolledFlat(maker, flat, array.shape, by, options);
  }
  const { byteStrides, ...place } = placed(maker, options, array);
  using dense = await maker.backend.array(array, { ...place, shape: [array.size] });
  const made = await rolledFlat(maker, dense.descriptor, array.shape, by, place);
  if (byteStrides === undefined) return made;
  using moved = made;
  return await maker.backend.array(moved, { ...place, byteStrides });
}

function readShifts(
  { shape, ndim }: ArrayDescriptor,
  shift: number | readonly number[],
  along: number | readonly number[],
): readonly Shift[] {
  const axes = Array.isArray(along) ? along : [along];
  if (Array.isArray(shift) && shift.length !== axes.length) {
    throw badArgument('shift', `a shift for each of ${axes.length} axes`, shift, `${shift.length}`);
  }
  const total = new Map<number, number>();
  for (const [index, given] of axes.entries()) {
    const axis = readAxis(given, ndim, Array.isArray(along) ? `axis[${index}]` : 'axis');
    const by = Array.isArray(shift)
      ? readCount(shift[index], 'shift', index)
      : readCount(shift, 'shift');
    const length = shape[axis] as number;
    total.set(axis, within((total.get(axis) ?? 0) + within(by, length), length));
  }
  return [...total].map(([axis, by]) => ({ axis, by })).filter(({ by }) => by > 0);
}

/** A shift as one of 0 to `length` - 1 to higher indices. */
function within(by: number, length: number): number {
  return length === 0 ? 0 : ((by % length) + length) % length;
}

async function rolled<A extends BackendArray>(
  maker: Maker<A>,
  array: ArrayDescriptor,
  shifts: readonly Shift[],
  options: EmptyOptions,
): Promise<OwnedArray<A>> {
  const [now, later] = [shifts.slice(0, AXES_AT_ONCE), shifts.slice(AXES_AT_ONCE)];
  const made = await inOrder(maker, {}, (work) => {
    const result = work.make(array.shape, array.dtype, options, array);
    copyParts(work, result.descriptor, array, now);
    return result;
  });
  if (later.length === 0) return made;
  using between = made;
  return await rolled(maker, between.descriptor, later, placed(maker, options, between.descriptor));
}

function rolledFlat<A extends BackendArray>(
  maker: Maker<A>,
  flat: ArrayDescriptor,
  shape: readonly number[],
  by: number,
  options: EmptyOptions,
): Promise<OwnedArray<A>> {
  return inOrder(maker, {}, (work) => {
    const made = work.make(shape, flat.dtype, options, flat);
    copyParts(work, reshape(made.descriptor, flat.shape), flat, [{ axis: 0, by }]);
    return made;
  });
}

/** Copies each part to where it belongs. */
function copyParts<A extends BackendArray>(
  work: Work<A>,
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  [shift, ...others]: readonly Shift[],
): void {
  if (shift === undefined) {
    work.copy(to, from);
    return;
  }
  const { axis, by } = shift;
  const stay = (from.shape[axis] as number) - by;
  copyParts(work, part(to, axis, by, stay), part(from, axis, 0, stay), others);
  copyParts(work, part(to, axis, 0, by), part(from, axis, stay, by), others);
}

/** Elements `start` to `start + count` along an axis. */
export function part(
  array: ArrayDescriptor,
  axis: number,
  start: number,
  count: number,
): ArrayDescriptor {
  const pointer = array.pointer + BigInt(start * (array.byteStrides[axis] as number));
  return replace(array, { pointer, shape: array.shape.with(axis, count) });
}

/** Returns the array in another shape. Null if only a copy could have it. */
function asView(array: ArrayDescriptor, shape: readonly number[]): ArrayDescriptor | null {
  try {
    return reshape(array, shape);
  } catch (error) {
    if (isArrayInterfaceError(error, 'ERR_NOT_A_VIEW')) return null;
    throw error;
  }
}
