import type { DType } from '../dtype/dtype.js';
import { type ByteStrides, contiguousByteStrides } from './strides.js';

/** What SUAI gives: the start from which `elementOffset` counts. */
export interface Base {
  readonly pointer: bigint;
  readonly elementOffset: number;
}

/** Everything that a descriptor is made of; the rest is derived. */
export interface Layout {
  /** Address of the element with all-zero indices; counted from `buffer`'s first byte if there is one. */
  readonly pointer: bigint;
  readonly shape: readonly number[];
  readonly byteStrides: ByteStrides;
  readonly dtype: DType;
  readonly readOnly: boolean;
  /** Where SUAI's `data` and `offset` were, or null. */
  readonly base: Base | null;
  /** CAI's stream (1n legacy default, 2n per-thread default, or a handle), or null: nothing pending. */
  readonly stream: bigint | null;
  /** SUAI's `syclobj` as it was given, or null. */
  readonly syclobj: unknown;
  /** Which elements are valid, or null: all of them. */
  readonly mask: Layout | null;
  /** The JavaScript buffer that holds the elements, or null: `pointer` is an address. */
  readonly buffer: ArrayBufferLike | null;
  /** What must stay alive while the memory is used. */
  readonly owner: unknown;
}

/** `[low, high)` bytes relative to the pointer; `[0, 0]` when there is no element. */
export type Extent = readonly [low: number, high: number];

/** Whether the elements lie densely in C order, in Fortran order, or both. */
export interface Contiguity {
  readonly c: boolean;
  readonly f: boolean;
}

/** Bytes that the elements touch, relative to the element with all-zero indices. */
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

/** Contiguity as NumPy's flags have it: axes of length 1 do not count; without elements, both. */
export function contiguity(
  shape: readonly number[],
  byteStrides: ByteStrides,
  itemsize: number,
): Contiguity {
  if (shape.includes(0)) return { c: true, f: true };
  return {
    c: isDense(shape, byteStrides, itemsize),
    f: isDense([...shape].reverse(), [...byteStrides].reverse(), itemsize),
  };
}

function isDense(shape: readonly number[], strides: readonly number[], itemsize: number): boolean {
  const dense = contiguousByteStrides(shape, itemsize);
  return shape.every((length, axis) => length === 1 || strides[axis] === dense[axis]);
}
