import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import { mismatch } from '../../errors/mismatch.js';
import { checkMask } from '../../plan/check-copy.js';

/** Refuses an array that work could not use as it says: ERR_MASK, or ERR_READ_ONLY where it writes. */
export function checkUsed(array: ArrayDescriptor, path: string, writes: boolean): void {
  checkMask(array, path);
  if (!writes || !array.readOnly) return;
  throw mismatch(
    'ERR_READ_ONLY',
    path,
    'an array that may be written',
    'a read-only one',
    'give a copy, made with array()',
  );
}
