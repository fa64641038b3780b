import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { type Chunk, chunksOf } from './chunks.js';

/** Bytes of staging for one chunk of a copy to or from JavaScript memory. */
const STAGED_BYTES = 16 * 1024 * 1024;

/** The chunks to stage. Sides of different shapes, where elements repeat, are one chunk. */
export function stagedChunks(to: ArrayDescriptor, from: ArrayDescriptor): readonly Chunk[] {
  const isSameShape =
    to.ndim === from.ndim && to.shape.every((length, axis) => length === from.shape[axis]);
  return isSameShape ? [...chunksOf(to, from, STAGED_BYTES)] : [[to, from]];
}
