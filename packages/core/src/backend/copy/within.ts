import type { Rounding } from '../../numbers/rounding.js';
import { shareBytes } from '../../overlap/may-share-memory.js';
import { isContiguous, planCopy } from '../../plan/plan-copy.js';
import type { Side } from '../access/acquire.js';
import { enqueue } from '../access/enqueue.js';
import { unreached } from '../access/queue-for.js';
import type { Driver } from '../interface/driver.js';
import type { BackendQueue } from '../interface/queue.js';
import { enqueueCopy } from './enqueue-copy.js';
import { copyStaged } from './staged.js';

/**
 * Enqueues a copy between two memories of one backend. Returns false if none of its queues can
 * access both; nothing was then enqueued, and `copyBetweenBackends` does the copy.
 */
export function copyWithin(
  driver: Driver,
  to: Side,
  from: Side,
  named: BackendQueue | undefined,
  rounding?: Rounding,
): boolean {
  const queue =
    named ?? to.memory.homeQueue ?? from.memory.homeQueue ?? driver.defaultQueue(to.memory);
  const target = driver.reach(queue, to.memory);
  const origin = driver.reach(queue, from.memory);
  if (target === 'kernels' && origin === 'kernels') {
    enqueueCopy(driver, queue, to, from, undefined, rounding);
    return true;
  }
  if (target === 'no' && origin === 'no' && named !== undefined) throw unreached();
  if (target === 'no' || origin === 'no') return false;
  return copyRun(driver, queue, to, from) || copyStaged(driver, queue, to, from, rounding);
}

/**
 * Copies one run of bytes, which the runtime does by itself. Returns false for any other layout.
 */
function copyRun(driver: Driver, queue: BackendQueue, to: Side, from: Side): boolean {
  const target = to.memory.onDevice(to.array);
  const origin = from.memory.onDevice(from.array);
  if (shareBytes(target, origin)) return false;
  const plan = planCopy(target, origin);
  if (!isContiguous(plan)) return false;
  enqueue(driver, queue, plan, to.memory, from.memory);
  return true;
}
