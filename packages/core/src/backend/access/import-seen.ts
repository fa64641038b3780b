import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { isArrayInterfaceError } from '../../errors/error.js';
import type { ImportedMemory } from '../interface/driver.js';
import type { Memory } from '../interface/memory.js';

/**
 * Implements `Driver.import` for a backend that borrows memory at its address for this process.
 * `borrow` gets the array there; null, or an error of this library, means that the backend cannot
 * access it. `isUsable` says whether the borrowed memory will do.
 */
export function importSeen<M extends Memory>(
  array: ArrayDescriptor,
  memory: Memory,
  borrow: (seen: ArrayDescriptor) => M | null,
  isUsable: (imported: M) => boolean,
): ImportedMemory | null {
  const there = memory.onHost(array);
  if (there === null) return null;
  const seen = replace(there, { owner: memory, stream: null, syclobj: null });
  try {
    const imported = borrow(seen);
    if (imported === null) return null;
    if (isUsable(imported)) return { memory: imported, array: seen };
    imported.end();
    return null;
  } catch (error) {
    if (isArrayInterfaceError(error)) return null;
    throw error;
  }
}
