import type { ArrayInterfaceError } from '../../errors/error.js';
import { mismatch } from '../../errors/mismatch.js';
import type { Driver } from '../interface/driver.js';
import type { Memory } from '../interface/memory.js';
import type { BackendQueue } from '../interface/queue.js';
import { runOrDefer } from '../order/deferred-work.js';

/**
 * Returns a queue whose kernels can access the memory: the named one, the memory's own, or the
 * backend's.
 */
export function queueFor(
  driver: Driver,
  memory: Memory,
  named: BackendQueue | undefined,
): BackendQueue {
  if (named !== undefined && driver.reach(named, memory) === 'kernels') return named;
  const { homeQueue } = memory;
  if (homeQueue !== null && driver.reach(homeQueue, memory) === 'kernels') return homeQueue;
  return driver.defaultQueue(memory);
}

/**
 * Enqueues work on two other queues as if it were on the named one. Both start after the named
 * queue's work, and that queue continues after them, even if `work` fails half way. Throws
 * ERR_CAPTURE if the named queue is being captured.
 */
export function inOrderOf(
  named: BackendQueue,
  one: BackendQueue,
  other: BackendQueue,
  work: () => void,
): void {
  const others = [...new Set([one, other])].filter((queue) => queue !== named);
  if (others.length > 0) {
    named.assertRuns();
    follow(others, [named]);
  }
  try {
    work();
  } finally {
    if (others.length > 0) follow([named], others);
  }
}

/** Makes queues wait for others, now or once the work before them is enqueued. */
function follow(later: readonly BackendQueue[], earlier: readonly BackendQueue[]): void {
  runOrDefer({
    queues: [...later, ...earlier],
    isInQueueOrder: true,
    uses: [],
    run: () => {
      for (const one of earlier) {
        const point = one.record();
        for (const queue of later) queue.wait(point);
      }
    },
  });
}

/** Returns the error for a named queue that cannot access the memory. */
export function unreached(): ArrayInterfaceError {
  return mismatch(
    'ERR_ARGUMENT',
    'queue',
    'a queue that can access the array',
    'one of another device or context',
    "name a queue of the array's device, or none",
  );
}
