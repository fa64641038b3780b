import type { Queue } from './queue.js';

/**
 * After a failure half way: some work may be enqueued that no event stands for, so that nobody could
 * wait for it before the memory is given back. Blocks, on this rare path, rather than free under it;
 * never on a queue that is being captured, which that would break.
 */
export function waitForUnknown(queue: Queue): void {
  try {
    queue.assertRuns();
    queue.synchronizeSync();
  } catch {
    // a device that failed runs nothing any more
  }
}
