import type { ArrayDescriptor } from '@array-interface/core';
import {
  type ArrayLike,
  abortable,
  type BackendIdentity,
  describeSource,
  memoryOf,
  type WaitOptions,
} from '@array-interface/core/backend';
import type { CudaDriver } from './driver.js';
import { CudaMemory } from './memory.js';

/** See `CudaBackend.settle`. Other backends' arrays wait for their own work; JavaScript's memory has none. */
export async function settle(
  backend: BackendIdentity,
  driver: CudaDriver,
  source: ArrayLike,
  { signal }: WaitOptions,
): Promise<ArrayDescriptor> {
  signal?.throwIfAborted();
  const array = describeSource(source);
  const mask = array.mask?.with({ stream: null }) ?? null;
  const settled = array.with({ stream: null, mask });
  if (array.buffer !== null) return settled;
  const known = memoryOf(array.owner);
  if (known instanceof CudaMemory && known.backend === backend) {
    known.assertLive('array');
    await abortable(settleMemory(driver, known), signal);
  } else if (known !== null) {
    known.assertLive('array');
    await abortable(known.synchronize(), signal);
  } else {
    const loan = driver.borrow(array, {});
    try {
      await abortable(settleMemory(driver, loan), signal);
    } finally {
      loan.end();
    }
  }
  return settled;
}

async function settleMemory(driver: CudaDriver, memory: CudaMemory): Promise<void> {
  memory.retain();
  try {
    await driver.settle(driver.defaultQueue(memory), memory);
    if (memory.mask !== null) await settleMemory(driver, memory.mask);
  } finally {
    memory.release();
  }
}
