import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import { dependenciesOf, isAccessed, lastAt, soFar } from './dependencies.js';
import {
  type Access,
  accessOf,
  countWork,
  type Gated,
  lastAccesses,
  pending,
  type Reached,
  type Task,
  Work,
} from './work.js';

/** True if no work of this thread is pending. */
export function isIdle(): boolean {
  return pending.size === 0;
}

/** Returns all pending work. */
export function allPending(): readonly Work[] {
  return [...pending.values()];
}

/** Returns the pending work that was added since an earlier `countWork()`. */
export function pendingSince(count: number): readonly Work[] {
  const works: Work[] = [];
  for (let number = count + 1; number <= countWork(); number++) {
    const work = pending.get(number);
    if (work !== undefined) works.push(work);
  }
  return works;
}

/** Returns the pending work of a queue. */
export function pendingOn(queue: Gated): readonly Work[] {
  return [...soFar(allPending())].filter(({ task }) => task.queue === queue);
}

/** Returns the pending work that a call made now waits for to have these bytes to itself. */
export function pendingAt(access: Access): readonly Work[] {
  return [...soFar(lastAt({ ...access, writes: true }))];
}

/** True if new work must wait: for its memory, or for what its queue waits for. */
export function mustWait(queue: Gated, accesses: readonly Access[]): boolean {
  return queue.gates.size > 0 || isAccessed(accesses);
}

/** Settles once all of the work has ended, whether or not it failed. */
export async function ended(works: readonly Work[]): Promise<void> {
  await Promise.allSettled(works.map((work) => work.ended));
}

/**
 * Runs work immediately, or as soon as everything that it depends on has ended. Undefined if the
 * work has ended. Rejects with what `run` throws, with the signal's reason, or with what the signal
 * itself throws. Throws ERR_PENDING if the work would wait for itself.
 */
export function enter(task: Task): Promise<void> | undefined {
  const work = ask(task);
  if (!work.waits) return work.begin();
  return task.signal === undefined ? work.ended : endedOrGivenUp(work, task.signal);
}

/** Shared, since nothing is ever added to it. */
const NOTHING: Set<Work> = new Set();

/** Orders new work among pending work. The work is pending even while it runs synchronously. */
export function ask(task: Task): Work {
  if (!isIdle()) return new Work(task, dependenciesOf(task));
  return new Work(task, {
    earlier: NOTHING,
    parent: null,
    orders: task.accesses.map(() => lastAccesses),
  });
}

/**
 * Settles as the work does. Rejects immediately, with the signal's reason, if it is aborted before
 * the work begins.
 */
function endedOrGivenUp(work: Work, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // The caller's own implementation of a signal may throw. Reject early only if the work never
    // begins, since the rejection releases its memory.
    const giveUp = (reasonOf: () => unknown) => {
      if (!work.cancel()) return;
      try {
        reject(reasonOf());
      } catch (error) {
        reject(error);
      }
    };
    const listener = () => giveUp(() => signal.reason);
    try {
      signal.addEventListener('abort', listener, { once: true });
    } catch (error) {
      giveUp(() => error);
    }
    work.ended
      .then(resolve, reject)
      .then(() => signal.removeEventListener('abort', listener))
      .catch(() => {}); // an error of removeEventListener has no recipient
  });
}

/**
 * Throws ERR_PENDING if work is pending on an array that is exported. Its consumer cannot order its
 * own work after that, and may write.
 */
export function assertAtRest(memory: Reached, array: ArrayDescriptor): void {
  if (isIdle() || pendingAt(accessOf(memory, array, true)).length === 0) return;
  throw new ArrayInterfaceError(
    'ERR_PENDING',
    'array',
    'expected an array without pending work, got one that a kernel is using; ' +
      'await array.synchronize() first',
  );
}
