import { type ArrayDescriptor, isArrayInterfaceError } from '@array-interface/core';
import type { BackendIdentity, ImportedMemory, Memory } from '@array-interface/core/backend';
import { internals, replace } from '@array-interface/core/backend';
import { libcuda } from '../find-driver.js';
import type { Streams } from '../work/streams.js';
import { borrow } from './borrow.js';

/**
 * Imports another backend's memory if it is registered with the driver, which then knows its
 * address. Null for all other memory, and if the driver does not report the range.
 */
export function importMemory(
  backend: BackendIdentity,
  streams: Streams,
  array: ArrayDescriptor,
  memory: Memory,
  device: number,
): ImportedMemory | null {
  const there = internals(memory).onHost(array);
  if (there === null) return null;
  const seen = replace(there, { owner: memory, stream: null, syclobj: null });
  if (libcuda().queryPointer(seen.pointer, device) === null) return null;
  try {
    const imported = borrow(backend, streams, seen, { sync: 'none' });
    if (imported.allocation !== null) return { memory: imported, array: seen };
    internals(imported).end();
    return null;
  } catch (error) {
    if (isArrayInterfaceError(error)) return null;
    throw error;
  }
}
