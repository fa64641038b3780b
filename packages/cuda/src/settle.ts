import type { ArrayDescriptor, ArrayLike } from '@array-interface/core';
import {
  abortable,
  type BackendIdentity,
  describeSource,
  internals,
  memoryOf,
  replace,
  settle as settleOn,
  throwIfAborted,
} from '@array-interface/core/backend';
import type { CudaDriver } from './driver.js';
import { CudaMemory } from './memory/memory.js';

/**
 * Implements `CudaBackend.settle`. For another backend's array, waits for that backend's work.
 * JavaScript memory has no work to wait for.
 */
export async function settle(
  backend: BackendIdentity,
  driver: CudaDriver,
  source: ArrayLike,
  signal: AbortSignal | undefined,
): Promise<ArrayDescriptor> {
  throwIfAborted(signal);
  const array = describeSource(source, backend.protocol, undefined, 'source', backend.name);
  const mask = array.mask && replace(array.mask, { stream: null });
  const settled = replace(array, { stream: null, mask });
  if (array.buffer !== null) return settled;
  const known = memoryOf(array.owner);
  if (known instanceof CudaMemory && known.backend === backend) {
    internals(known).assertLive('array');
    await abortable(settleMemory(driver, known), signal);
  } else if (known !== null) {
    internals(known).assertLive('array');
    await abortable(known.synchronize(), signal);
  } else {
    const loan = driver.borrow(array, {});
    try {
      await abortable(settleMemory(driver, loan), signal);
    } finally {
      internals(loan).end();
    }
  }
  return settled;
}

async function settleMemory(driver: CudaDriver, memory: CudaMemory): Promise<void> {
  internals(memory).retain();
  try {
    await settleOn(driver, driver.defaultQueue(memory), memory);
    if (memory.mask !== null) await settleMemory(driver, memory.mask);
  } finally {
    internals(memory).release();
  }
}
