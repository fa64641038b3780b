import { type ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import type { DType } from '../dtype/dtype.js';
import { sameShape } from '../input/shape.js';

/** The same part of both sides of a copy. */
export type Chunk = readonly [to: ArrayDescriptor, from: ArrayDescriptor];

/**
 * Splits two arrays of one shape alike, in C order. A chunk of the first array has at most
 * `byteLength` bytes, or one element. Chunks are whole rows if these are short enough, else parts
 * of rows.
 */
export function* chunksOf(
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  byteLength: number,
): Generator<Chunk> {
  const axis = to.shape.findIndex((length) => length > 1);
  if (to.nbytes <= byteLength || axis < 0) {
    yield [to, from];
    return;
  }
  const length = to.shape[axis] as number;
  const step = Math.max(1, Math.floor((byteLength * length) / to.nbytes));
  for (let start = 0; start < length; start += step) {
    const stop = Math.min(start + step, length);
    yield* chunksOf(range(to, axis, start, stop), range(from, axis, start, stop), byteLength);
  }
}

function range(array: ArrayDescriptor, axis: number, start: number, stop: number): ArrayDescriptor {
  return replace(array, {
    pointer: array.pointer + BigInt(start) * BigInt(array.byteStrides[axis] as number),
    shape: array.shape.with(axis, stop - start),
    base: null,
  });
}

/**
 * Returns the dtype in which elements are staged: the smaller of the two. The side of the larger
 * one converts.
 */
export function stagedDType(to: ArrayDescriptor, from: ArrayDescriptor): DType {
  return to.itemsize < from.itemsize ? to.dtype : from.dtype;
}

/** Bytes of staging for one chunk of a copy to or from JavaScript memory. */
const STAGED_BYTES = 16 * 1024 * 1024;

/** Returns the chunks to stage. Sides of different shapes, whose elements repeat, are one chunk. */
export function stagedChunks(to: ArrayDescriptor, from: ArrayDescriptor): readonly Chunk[] {
  return sameShape(to.shape, from.shape) ? [...chunksOf(to, from, STAGED_BYTES)] : [[to, from]];
}
