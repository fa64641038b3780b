import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { relativeLayout } from '../../descriptor/relative-layout.js';
import type { Rounding } from '../../numbers/rounding.js';
import { stagedChunks } from '../../plan/chunks.js';
import { bytesOf } from '../../plan/copy-buffers.js';
import { planCopy } from '../../plan/plan-copy.js';
import { acquire, type Side } from '../access/acquire.js';
import { Deadline } from '../access/deadline.js';
import { inOrderOf, queueFor, unreached } from '../access/queue-for.js';
import type { Driver } from '../interface/driver.js';
import type { BackendQueue } from '../interface/queue.js';
import { enqueueCopy } from './enqueue-copy.js';

/**
 * Copies JavaScript memory into an array. Reads the memory now, converts it on the way, and
 * enqueues the rest. Blocks for at most a second to allocate staging memory.
 */
export function upload(
  driver: Driver,
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  named: BackendQueue | undefined,
  rounding?: Rounding,
): void {
  const { memory } = acquire(driver, to, 'destination');
  try {
    const queue = queueFor(driver, memory, named);
    if (named !== undefined && driver.reach(named, memory) === 'no') throw unreached();
    const deadline = new Deadline();
    inOrderOf(named ?? queue, queue, queue, () => {
      for (const [array, source] of stagedChunks(to, from)) {
        uploadChunk(driver, queue, { array, memory }, source, deadline, rounding);
      }
    });
  } finally {
    memory.release();
  }
}

function uploadChunk(
  driver: Driver,
  queue: BackendQueue,
  to: Side,
  from: ArrayDescriptor,
  deadline: Deadline,
  rounding: Rounding | undefined,
): void {
  const layout = relativeLayout(from.shape, to.array.dtype);
  const staging = driver.stage(layout.nbytes, queue, deadline.left);
  const { memory, pointer } = staging;
  try {
    staging.read(planCopy(layout, from, rounding), bytesOf(from, 'source'));
    enqueueCopy(driver, queue, to, { array: replace(layout, { pointer }), memory }, deadline);
  } finally {
    memory.end();
  }
}
