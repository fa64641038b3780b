import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { type Chunk, chunksOf } from './chunks.js';

/** Staging that one chunk of a copy to or from JavaScript memory takes, in bytes. */
const STAGED_BYTES = 16 * 1024 * 1024;

/** What is staged at a time: alike on both sides, where no element is repeated. */
export function stagedChunks(to: ArrayDescriptor, from: ArrayDescriptor): readonly Chunk[] {
  const isSameShape =
    to.ndim === from.ndim && to.shape.every((length, axis) => length === from.shape[axis]);
  return isSameShape ? [...chunksOf(to, from, STAGED_BYTES)] : [[to, from]];
}
