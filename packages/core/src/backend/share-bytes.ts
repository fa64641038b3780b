import type { ArrayDescriptor } from '../descriptor.js';

/** Whether the bytes from one array's first to its last overlap another's. */
export function shareBytes(to: ArrayDescriptor, from: ArrayDescriptor): boolean {
  const [target, origin] = [to.extent, from.extent];
  // Exact where it matters: a distance that a number rounds is longer than any extent.
  const apart = Number(from.pointer - to.pointer);
  return target[0] < apart + origin[1] && apart + origin[0] < target[1];
}
