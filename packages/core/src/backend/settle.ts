import type { Driver } from './driver.js';
import { awaitLock } from './held-lock.js';
import type { Memory } from './memory.js';
import type { BackendQueue } from './queue.js';
import { afterTurns, waitingAt } from './turn.js';

/**
 * `Driver.settle`, after all work on the memory that still waits for kernels, and once no other process
 * holds its lock.
 */
export function settle(driver: Driver, queue: BackendQueue, memory: Memory): Promise<void> {
  return afterTurns(waitingAt(memory), () => awaitLock(() => driver.settle(queue, memory)));
}
