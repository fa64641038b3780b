import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import { mismatch } from '../../errors/mismatch.js';
import { checkMask } from '../../plan/check-copy.js';

/**
 * Throws ERR_MASK for an array with a mask, and ERR_READ_ONLY if the work writes a read-only one.
 */
export function checkUsed(array: ArrayDescriptor, path: string, writes: boolean): void {
  checkMask(array, path);
  if (!writes || !array.readOnly) return;
  throw mismatch(
    'ERR_READ_ONLY',
    path,
    'a writable array',
    'a read-only one',
    'pass a copy, made with array()',
  );
}
