import type { CopyPlan } from '../../plan/plan-copy.js';
import type { Driver } from '../interface/driver.js';
import type { Memory } from '../interface/memory.js';
import type { BackendQueue } from '../interface/queue.js';
import {
  deferUntilUnlocked,
  holdCall,
  isNothingDeferred,
  runOrDefer,
  type Task,
} from '../order/deferred-work.js';

/**
 * Enqueues a plan's copy, now or once the work it depends on is enqueued; `Driver.enqueue` does the
 * work. On the queue for work that names none, it is ordered only after other work on its memories.
 */
export function enqueue(
  driver: Driver,
  queue: BackendQueue,
  plan: CopyPlan,
  target: Memory,
  origin: Memory,
): void {
  if (!isNothingDeferred()) {
    runOrDefer(taskOf(driver, queue, plan, target, origin));
    return;
  }
  try {
    const told = driver.enqueue(queue, plan, target, origin);
    if (told !== undefined) holdCall(told);
  } catch (error) {
    deferUntilUnlocked(taskOf(driver, queue, plan, target, origin), error);
  }
}

function taskOf(
  driver: Driver,
  queue: BackendQueue,
  plan: CopyPlan,
  target: Memory,
  origin: Memory,
): Task {
  return {
    queues: [queue],
    isInQueueOrder: queue !== driver.defaultQueue(target),
    uses: [
      { memory: target, writes: true },
      { memory: origin, writes: false },
    ],
    run: () => driver.enqueue(queue, plan, target, origin),
  };
}
