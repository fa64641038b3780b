import { type ArrayDescriptor, isArrayInterfaceError } from '@array-interface/core';
import type { Backend, Guest, Memory } from '@array-interface/core/backend';
import { borrow } from './borrow.js';

/** Another backend's memory as host memory; null where this process may not read and write all of it. */
export function guest(backend: Backend, array: ArrayDescriptor, memory: Memory): Guest | null {
  const seen = memory.onHost(array)?.with({ owner: memory, stream: null, syclobj: null }) ?? null;
  if (seen === null) return null;
  try {
    const borrowed = borrow(backend, seen, {});
    return borrowed.writable ? { memory: borrowed, array: seen } : null;
  } catch (error) {
    if (isArrayInterfaceError(error)) return null;
    throw error;
  }
}
