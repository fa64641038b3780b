import { ArrayInterfaceError } from '../error.js';
import type { Driver } from './driver.js';
import type { Memory } from './memory.js';
import type { Queue } from './queue.js';

/** A queue that reaches the memory by kernels: the named one, the memory's own, or the backend's. */
export function queueFor(driver: Driver, memory: Memory, named: Queue | undefined): Queue {
  if (named !== undefined && driver.reach(named, memory) === 'kernels') return named;
  const { homeQueue } = memory;
  if (homeQueue !== null && driver.reach(homeQueue, memory) === 'kernels') return homeQueue;
  return driver.defaultQueue(memory);
}

/**
 * Enqueues work on other queues as if the named one had done it: the first of them starts after what
 * it has, and it goes on after the last. Throws ERR_CAPTURE where the named queue is being captured.
 */
export function inOrderOf(named: Queue, first: Queue, last: Queue, work: () => void): void {
  const isOther = first !== named || last !== named;
  if (isOther) {
    named.assertRuns();
    first.wait(named.record());
  }
  work();
  if (isOther) named.wait(last.record());
}

/** A queue that was named for memory of another place. */
export function unreached(): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'queue',
    'expected a queue that reaches the array, got one of another place; name one of the place where the ' +
      'array is, or none',
  );
}
