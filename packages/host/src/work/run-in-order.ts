import type { Use } from '@array-interface/core/backend';
import type { HostMemory } from '../memory/memory.js';
import { ask, isIdle, mustWait } from '../order/pending-work.js';
import type { HostQueue } from '../order/queue.js';

/**
 * Calls a function that works on memories: immediately, or as soon as earlier work on them has
 * ended. In the second case it returns a promise of the function's result. What the function
 * enqueues before it returns is ordered before work that was enqueued while it waited. Rejects with
 * what the function throws, and if JavaScript has detached the memory.
 */
export function runInOrder<T>(
  queue: HostQueue,
  uses: readonly Use<HostMemory>[],
  work: () => T,
): T | Promise<Awaited<T>> {
  if (isIdle()) return work();
  const accesses = uses.map(({ memory, writes }) => memory.access(writes));
  if (!mustWait(queue, accesses)) return work();
  return new Promise((resolve, reject) => {
    const run = () => {
      resolve(work() as Awaited<T>);
      return undefined;
    };
    ask({ queue, accesses, calls: 'use', run }).ended.catch(reject);
  });
}
