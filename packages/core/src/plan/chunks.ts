import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { replace } from '../descriptor/descriptor.js';

/** The same part of both sides of a copy. */
export type Chunk = readonly [to: ArrayDescriptor, from: ArrayDescriptor];

/**
 * Cuts two arrays of one shape alike, in C order. A chunk of the first array has at most
 * `byteLength` bytes, or one element. Chunks are whole rows where these are short enough, else
 * parts of rows.
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
