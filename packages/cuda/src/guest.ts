import { type ArrayDescriptor, isArrayInterfaceError } from '@array-interface/core';
import type { Guest, Memory } from '@array-interface/core/backend';
import type { CudaBackend } from './backend.js';
import { borrow } from './borrow.js';
import { driver } from './driver.js';

/**
 * Another backend's memory as memory of ours, where the driver knows its address: what was registered
 * with it. Null for all other memory, and where the driver does not tell its range.
 */
export function guest(
  backend: CudaBackend,
  array: ArrayDescriptor,
  memory: Memory,
  device: number,
): Guest | null {
  const seen = memory.onHost(array)?.with({ owner: memory, stream: null, syclobj: null }) ?? null;
  if (seen === null || driver().inspect(seen.pointer, device) === null) return null;
  try {
    const borrowed = borrow(backend, seen, { sync: 'none' });
    if (borrowed.allocation !== null) return { memory: borrowed, array: seen };
    borrowed.retain(); // nobody has held it yet
    borrowed.release();
    return null;
  } catch (error) {
    if (isArrayInterfaceError(error)) return null;
    throw error;
  }
}
