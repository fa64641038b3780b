import type { ArrayDescriptor } from '../descriptor.js';
import { parts } from './parts.js';

/** Staging that one piece of a copy to or from JavaScript memory takes, in bytes. */
const STAGED_BYTES = 16 * 1024 * 1024;

/** What is staged at a time: alike on both sides, where no element is repeated. */
export function stagedParts(
  to: ArrayDescriptor,
  from: ArrayDescriptor,
): (readonly [to: ArrayDescriptor, from: ArrayDescriptor])[] {
  const isSameShape =
    to.ndim === from.ndim && to.shape.every((length, axis) => length === from.shape[axis]);
  return isSameShape ? [...parts(to, from, STAGED_BYTES)] : [[to, from]];
}
