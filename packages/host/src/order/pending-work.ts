import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import { isAccessed, lastAt, placeOf, soFar } from './place.js';
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

/** Whether no work of this thread is pending. */
export function isIdle(): boolean {
  return pending.size === 0;
}

/** All pending work. */
export function allPending(): readonly Work[] {
  return [...pending.values()];
}

/** The pending work that has come since an earlier count. */
export function pendingSince(count: number): readonly Work[] {
  const works: Work[] = [];
  for (let number = count + 1; number <= countWork(); number++) {
    const work = pending.get(number);
    if (work !== undefined) works.push(work);
  }
  return works;
}

/** The pending work of a queue. */
export function pendingOn(queue: Gated): readonly Work[] {
  return [...soFar(allPending())].filter(({ task }) => task.queue === queue);
}

/** The pending work after which no other reads or writes these bytes. */
export function pendingAt(access: Access): readonly Work[] {
  return [...soFar(lastAt({ ...access, writes: true }))];
}

/** Whether work must wait: for its memory, or for what its queue waits for. */
export function mustWait(queue: Gated, accesses: readonly Access[]): boolean {
  return queue.gates.size > 0 || isAccessed(accesses);
}

/** Settles when work has ended, whether or not it failed. */
export async function ended(works: readonly Work[]): Promise<void> {
  await Promise.allSettled(works.map((work) => work.ended));
}

/**
 * Does work at once, or has it done as soon as all has ended that it must wait for. Undefined: it
 * has ended. Rejects with what `run` throws, with the signal's reason, or with what the signal throws.
 * Throws ERR_PENDING where it would wait for itself.
 */
export function enter(task: Task): Promise<void> | undefined {
  const work = ask(task);
  if (!work.waits) return work.begin();
  return task.signal === undefined ? work.ended : endedOrGivenUp(work, task.signal);
}

/** Gives work its place. It is pending, also while it is done at once. */
export function ask(task: Task): Work {
  if (!isIdle()) return new Work(task, placeOf(task));
  return new Work(task, {
    earlier: new Set(),
    parent: null,
    orders: task.accesses.map(() => lastAccesses),
  });
}

/** Settles as work does; at once, with the signal's reason, when it is aborted before the work begins. */
function endedOrGivenUp(work: Work, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // A signal of somebody else's making may throw. Only work that never begins may be forgotten here,
    // since its memory is let go then.
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
      .catch(() => {}); // what it throws is nobody's answer
  });
}

/**
 * Throws ERR_PENDING where work is pending on an array that goes to a consumer, who knows no order and
 * may write.
 */
export function assertAtRest(memory: Reached, array: ArrayDescriptor): void {
  if (isIdle() || pendingAt(accessOf(memory, array, true)).length === 0) return;
  throw new ArrayInterfaceError(
    'ERR_PENDING',
    'array',
    'expected an array without pending work, got one that a kernel works on; ' +
      'await array.synchronize() first',
  );
}
