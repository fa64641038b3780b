import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { replace } from '../descriptor/descriptor.js';
import { acquire } from './acquire.js';
import { bytesOf } from './copy-buffers.js';
import { copyOn } from './copy-on.js';
import type { Driver } from './driver.js';
import { Patience } from './patience.js';
import { planCopy } from './plan-copy.js';
import type { BackendQueue } from './queue.js';
import { inOrderOf, queueFor, unreached } from './queue-for.js';
import { relativeLayout } from './relative-layout.js';
import type { Side } from './side.js';
import { stagedChunks } from './staged-chunks.js';

/**
 * Copies JavaScript memory into an array. It reads the memory now, converts it on the way, and
 * enqueues the rest. Waits at most a second for staging.
 */
export function upload(
  driver: Driver,
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  named: BackendQueue | undefined,
): void {
  const { memory } = acquire(driver, to, 'destination');
  try {
    const queue = queueFor(driver, memory, named);
    if (named !== undefined && driver.reach(named, memory) === 'no') throw unreached();
    const patience = new Patience();
    inOrderOf(named ?? queue, queue, queue, () => {
      for (const [array, source] of stagedChunks(to, from)) {
        uploadChunk(driver, queue, { array, memory }, source, patience);
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
  patience: Patience,
): void {
  const layout = relativeLayout(from.shape, to.array.dtype);
  const staging = driver.stage(layout.nbytes, queue, patience.left);
  const { memory, pointer } = staging;
  try {
    staging.read(planCopy(layout, from), bytesOf(from, 'source'));
    copyOn(driver, queue, to, { array: replace(layout, { pointer }), memory }, patience);
  } finally {
    memory.end();
  }
}
