import type { ArrayDescriptor } from '@array-interface/core';
import type { BackendIdentity, ImportedMemory, Memory } from '@array-interface/core/backend';
import { importSeen, internals } from '@array-interface/core/backend';
import { libcuda } from '../find-driver.js';
import { borrow } from './borrow.js';

/**
 * Imports another backend's memory if it is registered with the driver, which then knows its
 * address. Null for all other memory, and if the driver does not report the range.
 */
export function importMemory(
  backend: BackendIdentity,
  array: ArrayDescriptor,
  memory: Memory,
  device: number,
): ImportedMemory | null {
  const seen = internals(memory).onHost(array);
  // Outside of importSeen, so that an error of the driver is reported.
  if (seen === null || libcuda().queryPointer(seen.pointer, device) === null) return null;
  return importSeen(
    array,
    memory,
    (there) => borrow(backend, there, { sync: 'none' }),
    ({ allocation }) => allocation !== null,
  );
}
