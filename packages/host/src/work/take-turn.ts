import type { Use } from '@array-interface/core/backend';
import type { HostMemory } from '../memory/memory.js';
import { ask, isIdle, mustWait } from '../order/pending-work.js';
import type { HostQueue } from '../order/queue.js';

/**
 * Calls a function when others may work on memories: at once, or as soon as earlier work has ended.
 * Then gives a promise of what it gives. What it asks for before it returns comes before work that was
 * asked for while it waited. Rejects as the function throws, and where JavaScript has taken memory away.
 */
export function takeTurn<T>(
  queue: HostQueue,
  uses: readonly Use[],
  work: () => T,
): T | Promise<Awaited<T>> {
  if (isIdle()) return work();
  const accesses = uses.map(({ memory, writes }) => (memory as HostMemory).access(writes));
  if (!mustWait(queue, accesses)) return work();
  return new Promise((resolve, reject) => {
    const run = () => {
      resolve(work() as Awaited<T>);
      return undefined;
    };
    ask({ queue, accesses, calls: 'use', run }).ended.catch(reject);
  });
}
