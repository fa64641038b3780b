import type { Use } from '@array-interface/core/backend';
import type { HostMemory } from './host-memory.js';
import type { HostQueue } from './host-queue.js';
import { enter, isIdle, mustWait, unfinished } from './pending-work.js';

/**
 * Waits until others may work on memories. Undefined: at once. Work that comes later does not begin
 * before code that goes on when the promise settles has run as far as its first own wait.
 */
export function takeTurn(queue: HostQueue, uses: readonly Use[]): Promise<void> | undefined {
  if (isIdle()) return undefined;
  const touches = uses.map(({ memory, writes }) => (memory as HostMemory).touch(writes));
  if (!mustWait(queue, touches)) return undefined;
  return new Promise((resolve, reject) => {
    const run = () => {
      resolve();
      const ended = new Promise<void>((end) => setImmediate(end));
      return {
        ended,
        join: () => {
          throw unfinished();
        },
      };
    };
    enter({ queue, touches, run })?.catch(reject);
  });
}
