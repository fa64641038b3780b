import { type DescribedArray, describeArray } from '../descriptor/described-array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';

/** How two locations compare: counted from the same start, in separate memories, or unknown. */
export type Relation = 'same' | 'apart' | 'unknown';

/**
 * Returns whether the extents of two arrays, `[low, high)` in bytes, overlap. Copies nothing.
 *
 * The elements may still be disjoint; `sharesMemory` tests them exactly. Arrays without bytes share
 * nothing. Returns true if it cannot be determined: for an array at an address and one in a buffer,
 * or for two SharedArrayBuffers, which may be the same memory. Masks are arrays of their own.
 * Throws ERR_TYPE, ERR_DISPOSED.
 *
 * @example
 * ```ts
 * import { fromProducer, slice } from '@array-interface/core';
 * import { mayShareMemory } from '@array-interface/core/overlap';
 *
 * const row = fromProducer(new Float32Array(8));
 * console.log(mayShareMemory(slice(row, [[0, 4]]), slice(row, [[4, 8]]))); // false
 * ```
 */
export function mayShareMemory(a: DescribedArray, b: DescribedArray): boolean {
  return mayOverlap(describeArray(a, 'a'), describeArray(b, 'b'));
}

/** `mayShareMemory` of descriptors. */
export function mayOverlap(a: ArrayDescriptor, b: ArrayDescriptor): boolean {
  if (a.nbytes === 0 || b.nbytes === 0) return false;
  const relation = relate(a.buffer, b.buffer);
  if (relation !== 'same') return relation === 'unknown';
  return reach(a, b) > 0n && reach(b, a) > 0n;
}

/** Returns the bytes from the first byte of `a`'s elements to the end of `b`'s. */
export function reach(a: ArrayDescriptor, b: ArrayDescriptor): bigint {
  return b.pointer + BigInt(b.extent[1]) - a.pointer - BigInt(a.extent[0]);
}

/** Returns how locations in these buffers compare; null means addresses. */
export function relate(a: ArrayBufferLike | null, b: ArrayBufferLike | null): Relation {
  if (a === b) return 'same';
  if (a === null || b === null) return 'unknown';
  return isShared(a) && isShared(b) ? 'unknown' : 'apart';
}

function isShared(buffer: ArrayBufferLike): boolean {
  return Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]';
}

/** Returns whether the bytes from one array's first to its last overlap another's. */
export function shareBytes(to: ArrayDescriptor, from: ArrayDescriptor): boolean {
  const [target, origin] = [to.extent, from.extent];
  const apart = Number(from.pointer - to.pointer);
  // A distance that a number rounds may still be shorter than two extents together.
  if (!Number.isSafeInteger(apart)) return mayOverlap(to, from);
  return target[0] < apart + origin[1] && apart + origin[0] < target[1];
}
