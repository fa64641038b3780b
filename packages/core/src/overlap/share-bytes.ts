import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { mayShareMemory } from './may-share-memory.js';

/** Whether the bytes from one array's first to its last overlap another's. */
export function shareBytes(to: ArrayDescriptor, from: ArrayDescriptor): boolean {
  const [target, origin] = [to.extent, from.extent];
  const apart = Number(from.pointer - to.pointer);
  // A distance that a number rounds may still be shorter than two extents together.
  if (!Number.isSafeInteger(apart)) return mayShareMemory(to, from);
  return target[0] < apart + origin[1] && apart + origin[0] < target[1];
}
