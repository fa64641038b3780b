import type { Rounding } from '../../numbers/rounding.js';
import { shareBytes } from '../../overlap/may-share-memory.js';
import { isAligned, planCopy } from '../../plan/plan-copy.js';
import { type Side, temporary } from '../access/acquire.js';
import { Deadline } from '../access/deadline.js';
import { enqueue } from '../access/enqueue.js';
import type { Driver } from '../interface/driver.js';
import type { BackendQueue } from '../interface/queue.js';

/**
 * Enqueues a copy on a queue whose kernels can access both sides, in order with all other work on
 * both memories. Blocks for at most a second to allocate temporaries, otherwise not at all. Returns
 * false if the copy takes several steps, which read the origin before they write the destination.
 */
export function enqueueCopy(
  driver: Driver,
  queue: BackendQueue,
  to: Side,
  from: Side,
  deadline?: Deadline,
  rounding?: Rounding,
): boolean {
  const target = to.memory.onDevice(to.array);
  const origin = from.memory.onDevice(from.array);
  if (shareBytes(target, origin)) {
    copyThroughTemporary(driver, queue, to, from, deadline ?? new Deadline(), rounding);
    return false;
  }
  const plan = planCopy(target, origin, rounding);
  const isOneStep = isAligned(plan);
  if (isOneStep) enqueue(driver, queue, plan, to.memory, from.memory);
  else copyThroughAligned(driver, queue, to, from, deadline ?? new Deadline(), rounding);
  return isOneStep;
}

/** Copies sides that overlap, as if the source had been copied first. */
function copyThroughTemporary(
  driver: Driver,
  queue: BackendQueue,
  to: Side,
  from: Side,
  deadline: Deadline,
  rounding: Rounding | undefined,
): void {
  const { shape, dtype } = from.array;
  const copied = temporary(driver, { queue }, shape, dtype, deadline);
  try {
    enqueueCopy(driver, queue, copied, from, deadline);
    enqueueCopy(driver, queue, to, copied, deadline, rounding);
  } finally {
    copied.memory.end();
  }
}

/**
 * Copies numbers at addresses at which devices cannot convert them: moves their bytes to aligned
 * addresses first.
 */
function copyThroughAligned(
  driver: Driver,
  queue: BackendQueue,
  to: Side,
  from: Side,
  deadline: Deadline,
  rounding: Rounding | undefined,
): void {
  const { shape } = from.array;
  const converted = temporary(driver, { queue }, to.array.shape, to.array.dtype, deadline);
  try {
    const copied = temporary(driver, { queue }, shape, from.array.dtype, deadline);
    try {
      enqueueCopy(driver, queue, copied, from, deadline);
      enqueueCopy(driver, queue, converted, copied, deadline, rounding);
    } finally {
      copied.memory.end();
    }
    enqueueCopy(driver, queue, to, converted, deadline);
  } finally {
    converted.memory.end();
  }
}
