import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { sameDType } from '../dtype/dtype.js';
import { type Conversion, elementChange, sizeOf, wordSize } from '../numbers/conversion.js';
import type { Rounding } from '../numbers/rounding.js';

/** Number of bytes that one step of a copy writes. */
export type CopyUnit = 1 | 2 | 4 | 8 | 16;

/**
 * A copy as a plain loop: for every index of `shape`, the bytes at `source + index . sourceStrides`
 * are written to `destination + index . destinationStrides`, converted or unchanged. Strides are in
 * bytes. Destination strides are positive and do not increase from the first axis to the last.
 */
export interface CopyPlan {
  /** Address of the first unit that is written. */
  readonly destination: bigint;
  /** Address of the first unit that is read. */
  readonly source: bigint;
  /** Bytes that are moved at a time. */
  readonly unit: CopyUnit;
  /** Number of units along each axis. */
  readonly shape: readonly number[];
  /** Bytes from one unit of the destination to the next along each axis. */
  readonly destinationStrides: readonly number[];
  /** Bytes from one unit of the source to the next along each axis. */
  readonly sourceStrides: readonly number[];
  /** Null: the bytes are unchanged. Otherwise `unit` is the size of the converted number. */
  readonly conversion: Conversion | null;
  /** Total bytes written. */
  readonly nbytes: number;
}

/** An axis of a copy: its length and the byte strides of both sides. */
interface Axis {
  readonly length: number;
  readonly to: number;
  readonly from: number;
}

const UNITS: readonly CopyUnit[] = [16, 8, 4, 2, 1];
const NO_AXES: readonly number[] = Object.freeze([]);
const EACH_BYTE: readonly number[] = Object.freeze([1]);

/**
 * Plans the copy of `source` into `destination`, whose dtypes cast and whose shapes broadcast.
 * Drops axes of length 1, traverses reversed destinations from their other end, and merges adjacent
 * axes. If bytes are unchanged, runs that are contiguous on both sides are copied as one. Their
 * unit is the widest that divides the run, every stride and both pointers. A copy that is one run
 * as a whole is planned in bytes. `rounding`: how floats become integers; by default they are cut
 * off.
 */
export function planCopy(
  destination: ArrayDescriptor,
  source: ArrayDescriptor,
  rounding?: Rounding,
): CopyPlan {
  if (isOneRun(destination, source)) {
    return planRun(destination.pointer, source.pointer, destination.nbytes);
  }
  const common = commonAxes(destination, source);
  const { axes } = common;
  const to = destination.pointer + BigInt(common.to);
  const from = source.pointer + BigInt(common.from);
  const change = elementChange(destination.dtype, source.dtype, rounding) ?? null;
  if (change !== null) {
    const { conversion, count } = change;
    const unit = sizeOf(conversion.to) as CopyUnit;
    const words = { length: count, to: unit, from: sizeOf(conversion.from) };
    if (count > 1) {
      axes.push(words);
      merge(axes);
    }
    return planAxes(to, from, unit, axes, conversion, destination.nbytes);
  }
  let run = destination.itemsize;
  while (axes.length > 0 && isRun(axes.at(-1) as Axis, run)) run *= (axes.pop() as Axis).length;
  if (axes.length === 0) return planRun(to, from, destination.nbytes);
  const unit = widestUnit(run, axes, Number(BigInt.asUintN(4, to | from)));
  if (run > unit) axes.push({ length: run / unit, to: unit, from: unit });
  return planAxes(to, from, unit, axes, null, destination.nbytes);
}

/**
 * Whether both have one dtype and one shape and are dense in C order. That is true of most copies,
 * including small ones.
 */
function isOneRun(destination: ArrayDescriptor, source: ArrayDescriptor): boolean {
  const { shape, byteStrides, dtype } = destination;
  if (shape.length !== source.shape.length || !sameDType(dtype, source.dtype)) return false;
  let dense = dtype.itemsize;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const length = shape[axis] as number;
    if (length !== source.shape[axis]) return false;
    if (length === 1) continue;
    if (byteStrides[axis] !== dense || source.byteStrides[axis] !== dense) return false;
    dense *= length;
  }
  return true;
}

/** Returns the plan of one run, in units of one byte: a memcpy needs no wider unit. */
function planRun(destination: bigint, source: bigint, nbytes: number): CopyPlan {
  const strides = nbytes > 1 ? EACH_BYTE : NO_AXES;
  return {
    destination,
    source,
    unit: 1,
    shape: nbytes > 1 ? [nbytes] : NO_AXES,
    destinationStrides: strides,
    sourceStrides: strides,
    conversion: null,
    nbytes,
  };
}

function planAxes(
  destination: bigint,
  source: bigint,
  unit: CopyUnit,
  axes: readonly Axis[],
  conversion: Conversion | null,
  nbytes: number,
): CopyPlan {
  const shape: number[] = [];
  const destinationStrides: number[] = [];
  const sourceStrides: number[] = [];
  for (const { length, to, from } of axes) {
    shape.push(length);
    destinationStrides.push(to);
    sourceStrides.push(from);
  }
  return {
    destination,
    source,
    unit,
    shape,
    destinationStrides,
    sourceStrides,
    conversion,
    nbytes,
  };
}

/**
 * Returns the axes of a copy, and the offsets from their pointers at which the two sides begin. The
 * axis with the destination's longest step is first. No step of the destination is negative, no
 * axis has length 1, and axes are merged if both sides allow it.
 */
export function commonAxes(
  destination: ArrayDescriptor,
  source: ArrayDescriptor,
): { readonly to: number; readonly from: number; readonly axes: Axis[] } {
  const missing = destination.ndim - source.ndim;
  const axes: Axis[] = [];
  let to = 0;
  let from = 0;
  for (let axis = 0; axis < destination.ndim; axis++) {
    const length = destination.shape[axis] as number;
    if (length === 1) continue;
    const inSource = axis - missing;
    const isRepeated = inSource < 0 || source.shape[inSource] === 1;
    const written = destination.byteStrides[axis] as number;
    const read = isRepeated ? 0 : (source.byteStrides[inSource] as number);
    if (written >= 0) {
      insert(axes, { length, to: written, from: read });
      continue;
    }
    to += (length - 1) * written; // from its other end
    from += (length - 1) * read;
    insert(axes, { length, to: -written, from: -read });
  }
  merge(axes);
  return { to, from, axes };
}

/**
 * Inserts an axis behind all whose step in the destination is at least as long. Most axes come in
 * this order already.
 */
function insert(axes: Axis[], axis: Axis): void {
  let place = axes.length;
  while (place > 0 && (axes[place - 1] as Axis).to < axis.to) place--;
  if (place === axes.length) axes.push(axis);
  else axes.splice(place, 0, axis);
}

/** Merges neighbours that both sides traverse as one axis, in place. */
function merge(axes: Axis[]): void {
  let count = 0;
  for (const inner of axes) {
    const outer = count > 0 ? axes[count - 1] : undefined;
    const joins =
      outer !== undefined &&
      outer.to === inner.length * inner.to &&
      outer.from === inner.length * inner.from;
    if (joins) axes[count - 1] = { ...inner, length: outer.length * inner.length };
    else axes[count++] = inner;
  }
  axes.length = count;
}

/**
 * Returns whether each number that the plan converts is aligned to its size, as devices require.
 */
export function isAligned(plan: CopyPlan): boolean {
  if (plan.conversion === null) return true; // the unit divides every address
  const { from, to } = plan.conversion;
  return (
    isMultiple(wordSize(to), plan.destination, plan.destinationStrides) &&
    isMultiple(wordSize(from), plan.source, plan.sourceStrides)
  );
}

function isMultiple(size: number, pointer: bigint, strides: readonly number[]): boolean {
  return pointer % BigInt(size) === 0n && strides.every((stride) => stride % size === 0);
}

/** Returns whether the plan is one run of bytes on both sides: what memcpy does. */
export function isContiguous(plan: CopyPlan): boolean {
  const { conversion, shape, unit, destinationStrides, sourceStrides } = plan;
  if (conversion !== null || shape.length > 1) return false;
  return shape.length === 0 || (destinationStrides[0] === unit && sourceStrides[0] === unit);
}

function isRun(axis: Axis, run: number): boolean {
  return axis.to === run && axis.from === run;
}

/** `low`: the low bits of both addresses. */
function widestUnit(run: number, axes: readonly Axis[], low: number): CopyUnit {
  const divides = (unit: number) =>
    run % unit === 0 &&
    low % unit === 0 &&
    axes.every((axis) => axis.to % unit === 0 && axis.from % unit === 0);
  return UNITS.find(divides) ?? 1;
}
