import { type ArrayDescriptor, assertArrayDescriptor } from '../descriptor/descriptor.js';

/** Whether two places can be compared: counted from the same start, in memories apart, or who knows. */
export type Relation = 'same' | 'apart' | 'unknown';

/**
 * Whether the extents of two arrays, `[low, high)` in bytes, meet; where they do, the elements need
 * not: `sharesMemory` says. Arrays without bytes share nothing. True where it cannot be known: an
 * array at an address and one in a buffer, or two SharedArrayBuffers, which may be one. Masks are
 * arrays of their own. Throws ERR_TYPE. Copies nothing.
 */
export function mayShareMemory(a: ArrayDescriptor, b: ArrayDescriptor): boolean {
  assertArrayDescriptor(a, 'a');
  assertArrayDescriptor(b, 'b');
  if (a.nbytes === 0 || b.nbytes === 0) return false;
  const relation = relate(a.buffer, b.buffer);
  if (relation !== 'same') return relation === 'unknown';
  return reach(a, b) > 0n && reach(b, a) > 0n;
}

/** Bytes from the first that is an element's of `a` to behind the last of `b`. */
export function reach(a: ArrayDescriptor, b: ArrayDescriptor): bigint {
  return b.pointer + BigInt(b.extent[1]) - a.pointer - BigInt(a.extent[0]);
}

/** Where arrays in these buffers, or at addresses, lie to one another. */
export function relate(a: ArrayBufferLike | null, b: ArrayBufferLike | null): Relation {
  if (a === b) return 'same';
  if (a === null || b === null) return 'unknown';
  return isShared(a) && isShared(b) ? 'unknown' : 'apart';
}

function isShared(buffer: ArrayBufferLike): boolean {
  return Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]';
}
