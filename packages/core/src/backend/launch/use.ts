import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import { type Checks, checkThat } from '../../input/options.js';
import { acquire } from '../access/acquire.js';
import { checkUsed } from '../access/check-used.js';
import { unreached } from '../access/queue-for.js';
import type { Backend, UsedArrays } from '../interface/array.js';
import type { Driver, Use } from '../interface/driver.js';
import { assertOwn } from '../interface/memory.js';
import type { BackendQueue } from '../interface/queue.js';
import {
  type DeferredWork,
  deferIfBlocked,
  deferUntilUnlocked,
  enqueued,
  isNothingDeferred,
  type Task,
} from '../order/deferred-work.js';
import { noteUse } from '../order/in-use.js';

const checkArrays = checkThat(Array.isArray, 'a list of arrays');
/** Checks of the arrays of `Backend.use`. */
export const USED_ARRAYS: Checks<UsedArrays> = { reads: checkArrays, writes: checkArrays };

/** One of these arrays, described. */
export interface UsedArray {
  readonly array: ArrayDescriptor;
  readonly path: string;
  readonly writes: boolean;
}

/** Orders work that other code enqueues, for `Backend.use`. */
export async function use<T, Q extends BackendQueue>(
  backend: Backend,
  driver: Driver,
  queue: Q,
  arrays: readonly UsedArray[],
  enqueue: (queue: Q) => T | Promise<T>,
): Promise<T> {
  const uses = hold(backend, driver, queue, arrays);
  queue.retain(); // the function may dispose of it
  const end = noteUse(uses.map(({ memory }) => memory));
  try {
    const waits = isNothingDeferred()
      ? null
      : runDeferred(driver, queue, uses, enqueue, deferIfBlocked);
    if (waits !== null) return await waits;
    try {
      driver.before(queue, uses);
    } catch (error) {
      const afterLock = (task: Task) => deferUntilUnlocked(task, error);
      return (await runDeferred(driver, queue, uses, enqueue, afterLock)) as T;
    }
    return await between(driver, queue, uses, enqueue);
  } finally {
    end();
    release(uses);
    queue.release();
  }
}

/** Does the same as deferred work, which `take` makes. Returns null if it waits for nothing. */
function runDeferred<T, Q extends BackendQueue>(
  driver: Driver,
  queue: Q,
  uses: readonly Use[],
  enqueue: (queue: Q) => T | Promise<T>,
  take: (task: Task) => DeferredWork | null,
): Promise<T> | null {
  let made: Promise<T> | null = null;
  const run = () => {
    driver.before(queue, uses);
    made = between(driver, queue, uses, enqueue);
    made.catch(() => {}); // the caller observes it once the deferred work has run
  };
  const deferred = take({ queues: [queue], isInQueueOrder: true, uses, run });
  if (deferred === null) return null;
  return enqueued([deferred]).then(() => made as unknown as Promise<T>);
}

/**
 * Calls the function that enqueues the work, and records the work: before this returns, unless the
 * function returns a promise. Settles once other processes have been told of the work, or it has
 * ended.
 */
async function between<T, Q extends BackendQueue>(
  driver: Driver,
  queue: Q,
  uses: readonly Use[],
  enqueue: (queue: Q) => T | Promise<T>,
): Promise<T> {
  try {
    const made = driver.within(queue, uses, () => enqueue(queue));
    return isThenable(made) ? await made : made;
  } finally {
    const told = driver.after(queue, uses);
    if (told !== undefined) await told;
  }
}

function hold(
  backend: Backend,
  driver: Driver,
  queue: BackendQueue,
  arrays: readonly UsedArray[],
): readonly Use[] {
  const uses: Use[] = [];
  try {
    for (const { array, path, writes } of arrays) {
      checkUsed(array, path, writes);
      const { memory } = acquire(driver, array, path);
      uses.push({ memory, writes });
      assertOwn(backend, memory, path);
      if (driver.reach(queue, memory) === 'no') throw unreached();
    }
    return uses;
  } catch (error) {
    release(uses);
    throw error;
  }
}

function release(uses: readonly Use[]): void {
  for (const { memory } of uses) memory.release();
}

function isThenable<T>(made: T | Promise<T>): made is Promise<T> {
  return typeof (made as Promise<T> | null | undefined)?.then === 'function';
}
