import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { relativeLayout } from '../../descriptor/relative-layout.js';
import { abortable } from '../../input/abort.js';
import { stagedChunks } from '../../plan/chunks.js';
import { bytesOf } from '../../plan/copy-buffers.js';
import { planCopy } from '../../plan/plan-copy.js';
import { acquire, type Side } from '../access/acquire.js';
import { Deadline } from '../access/deadline.js';
import { inOrderOf, queueFor, unreached } from '../access/queue-for.js';
import type { Driver, Staging } from '../interface/driver.js';
import type { CopyOptions } from '../interface/options.js';
import type { BackendQueue } from '../interface/queue.js';
import { countDeferred, enqueuedSince } from '../order/deferred-work.js';
import { noteUse } from '../order/in-use.js';
import { enqueueCopy } from './enqueue-copy.js';
import type { ProgressTracker } from './progress.js';

/**
 * A part of the destination, and the staging buffer for its bytes, where they are laid out like
 * `layout`.
 */
interface StagedChunk {
  readonly target: ArrayDescriptor;
  readonly layout: ArrayDescriptor;
  readonly staging: Staging;
}

/**
 * Copies an array into JavaScript memory. Enqueues all the work now, so that later work of the
 * queue is ordered after it. Writes and converts each chunk in JavaScript memory when the chunk's
 * work ends, and stops after a failure. Blocks for at most a second to allocate staging memory.
 */
export async function download(
  driver: Driver,
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  { queue, signal, rounding }: CopyOptions,
  tracker: ProgressTracker,
): Promise<void> {
  const origin = acquire(driver, from, 'source');
  const chunks: StagedChunk[] = [];
  const before = countDeferred();
  const end = noteUse([origin.memory], to.buffer);
  try {
    enqueueChunks(driver, queue, to, origin, chunks);
    const pending = enqueuedSince(before, signal);
    if (pending !== null) await abortable(pending, signal);
    for (let chunk = chunks[0]; chunk !== undefined; chunk = chunks[0]) {
      const { target, layout, staging } = chunk;
      await abortable(staging.memory.synchronize(), signal);
      staging.write(planCopy(target, layout, rounding), bytesOf(target, 'destination'));
      chunks.shift();
      staging.memory.end();
      tracker.add(target.nbytes);
    }
  } catch (error) {
    if (!signal?.aborted) {
      await Promise.allSettled(chunks.map(({ staging }) => staging.memory.synchronize()));
    }
    throw tracker.interrupted(error, signal);
  } finally {
    end();
    for (const { staging } of chunks) staging.memory.end();
    origin.memory.release();
  }
}

function enqueueChunks(
  driver: Driver,
  named: BackendQueue | undefined,
  to: ArrayDescriptor,
  { array: from, memory }: Side,
  chunks: StagedChunk[],
): void {
  const queue = queueFor(driver, memory, named);
  if (named !== undefined && driver.reach(named, memory) === 'no') throw unreached();
  const deadline = new Deadline();
  inOrderOf(named ?? queue, queue, queue, () => {
    for (const [target, array] of stagedChunks(to, from)) {
      chunks.push(enqueueChunk(driver, queue, target, { array, memory }, deadline));
    }
  });
}

function enqueueChunk(
  driver: Driver,
  queue: BackendQueue,
  target: ArrayDescriptor,
  from: Side,
  deadline: Deadline,
): StagedChunk {
  const layout = relativeLayout(target.shape, from.array.dtype);
  const staging = driver.stage(layout.nbytes, queue, deadline.left);
  const { memory, pointer } = staging;
  try {
    enqueueCopy(driver, queue, { array: replace(layout, { pointer }), memory }, from, deadline);
    return { target, layout, staging };
  } catch (error) {
    memory.end();
    throw error;
  }
}
