import type { ArrayDescriptor } from '../descriptor.js';

/** Whether the bytes from one array's first to its last overlap another's. */
export function shareBytes(to: ArrayDescriptor, from: ArrayDescriptor): boolean {
  const [toLow, toHigh] = to.extent;
  const [fromLow, fromHigh] = from.extent;
  // Exact where it matters: a distance that a number rounds is longer than any extent.
  const apart = Number(from.pointer - to.pointer);
  return toLow < apart + fromHigh && apart + fromLow < toHigh;
}
