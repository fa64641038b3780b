import { type ByteStrides, contiguousByteStrides } from './strides.js';

/** `[low, high)` bytes relative to the pointer; `[0, 0]` when there is no element. */
export type Extent = readonly [low: number, high: number];

/** Whether the elements lie densely in C order, in Fortran order, or both. */
export interface Contiguity {
  readonly c: boolean;
  readonly f: boolean;
}

/** Number of elements. */
export function sizeOf(shape: readonly number[]): number {
  let size = 1;
  for (let axis = 0; axis < shape.length; axis++) {
    if (shape[axis] === 0) return 0; // whatever the other lengths make
    size *= shape[axis] as number;
  }
  return size;
}

/** Whether both have the same axes. */
export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((length, axis) => length === b[axis]);
}

/** Whether an array of shape `from` broadcasts to shape `to`. */
export function broadcasts(from: readonly number[], to: readonly number[]): boolean {
  const missing = to.length - from.length;
  if (missing < 0) return false;
  for (let axis = 0; axis < from.length; axis++) {
    if (from[axis] !== 1 && from[axis] !== to[axis + missing]) return false;
  }
  return true;
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
