import type { DType } from '../dtype/dtype.js';
import { sizeOf } from '../input/shape.js';
import { type ByteStrides, contiguousByteStrides } from './strides.js';

/**
 * The parts of a descriptor from which the rest is derived. `ArrayDescriptor` documents each part.
 * An omitted part is null.
 */
export interface Layout {
  readonly pointer: bigint;
  readonly shape: readonly number[];
  readonly byteStrides: ByteStrides;
  readonly dtype: DType;
  readonly readOnly: boolean;
  readonly base?: Base | null;
  readonly stream?: bigint | null;
  readonly syclobj?: unknown;
  readonly mask?: Layout | null;
  readonly buffer?: ArrayBufferLike | null;
  readonly owner?: unknown;
}

/** The address and element offset that SUAI counts from. */
export interface Base {
  readonly pointer: bigint;
  readonly elementOffset: number;
}

/** A range of bytes `[low, high)` relative to the pointer; `[0, 0]` if there are no elements. */
export type Extent = readonly [low: number, high: number];

/** Whether the elements are dense in C order, in Fortran order, or both. */
export interface Contiguity {
  readonly c: boolean;
  readonly f: boolean;
}

/**
 * Returns the range of bytes that the elements occupy, relative to the element with all-zero
 * indices.
 */
export function extent(
  shape: readonly number[],
  byteStrides: ByteStrides,
  itemsize: number,
): Extent {
  let low = 0;
  let high = itemsize;
  for (let axis = 0; axis < shape.length; axis++) {
    if (shape[axis] === 0) return [0, 0];
    const reach = ((shape[axis] as number) - 1) * (byteStrides[axis] as number);
    if (reach < 0) low += reach;
    else high += reach;
  }
  return [low, high];
}

/**
 * Returns contiguity as in NumPy's flags: axes of length 1 do not count; an empty array is both.
 */
export function contiguity(
  shape: readonly number[],
  byteStrides: ByteStrides,
  itemsize: number,
): Contiguity {
  if (sizeOf(shape) === 0) return { c: true, f: true };
  return {
    c: isDense(shape, byteStrides, itemsize),
    f: isDense(shape.toReversed(), byteStrides.toReversed(), itemsize),
  };
}

function isDense(shape: readonly number[], strides: readonly number[], itemsize: number): boolean {
  const dense = contiguousByteStrides(shape, itemsize);
  return shape.every((length, axis) => length === 1 || strides[axis] === dense[axis]);
}
