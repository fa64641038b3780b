import type { Driver } from '../interface/driver.js';
import type { Memory } from '../interface/memory.js';
import type { BackendQueue } from '../interface/queue.js';
import { afterDeferred, waitingAt } from '../order/deferred-work.js';
import { awaitLock } from '../order/lock.js';

/**
 * Calls `Driver.settle` after all work on the memory that still waits for kernels, once no other
 * process holds the memory's lock.
 */
export function settle(driver: Driver, queue: BackendQueue, memory: Memory): Promise<void> {
  return afterDeferred(waitingAt(memory), () => awaitLock(() => driver.settle(queue, memory)));
}
