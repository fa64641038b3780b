import type { ArrayDescriptor } from '../descriptor.js';

/** Arrays of more elements than this are not enumerated when the quick test says nothing. */
const ENUMERATION_LIMIT = 65_536;

/**
 * Whether two elements share a byte. Exact for arrays whose axes nest (every array made by slicing
 * and permuting) and for up to 65,536 elements; larger layouts that interleave count as overlapping.
 */
export function overlapsItself(array: ArrayDescriptor): boolean {
  if (array.size <= 1 || array.itemsize === 0) return false;
  const axes = array.shape
    .map((length, axis) => ({ length, step: Math.abs(array.byteStrides[axis] as number) }))
    .filter((axis) => axis.length > 1)
    .sort((a, b) => a.step - b.step);
  let reach = array.itemsize;
  for (const { length, step } of axes) {
    if (step === 0) return true;
    if (step < reach) return array.size > ENUMERATION_LIMIT || sharesByEnumeration(array);
    reach += (length - 1) * step;
  }
  return false;
}

function sharesByEnumeration(array: ArrayDescriptor): boolean {
  let offsets = [0];
  for (const [axis, length] of array.shape.entries()) {
    const step = array.byteStrides[axis] as number;
    offsets = offsets.flatMap((offset) => Array.from({ length }, (_, i) => offset + i * step));
  }
  offsets.sort((a, b) => a - b);
  return offsets.some((offset, i) => i > 0 && offset - (offsets[i - 1] as number) < array.itemsize);
}
