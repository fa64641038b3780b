import type { ArrayDescriptor } from '@array-interface/core';
import type { BackendIdentity, ImportedMemory, Memory } from '@array-interface/core/backend';
import { importSeen } from '@array-interface/core/backend';
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
  return importSeen(
    array,
    memory,
    (seen) =>
      libcuda().queryPointer(seen.pointer, device) &&
      borrow(backend, streams, seen, { sync: 'none' }),
    ({ allocation }) => allocation !== null,
  );
}
