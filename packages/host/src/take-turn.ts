import type { Use } from '@array-interface/core/backend';
import type { HostMemory } from './host-memory.js';
import type { HostQueue } from './host-queue.js';
import { ask, isIdle, mustWait, unfinished } from './pending-work.js';

/**
 * Waits until others may work on memories. Undefined: at once. Work that was asked for meanwhile does
 * not begin before code that goes on when the promise settles has run as far as its first own wait.
 * That code itself finds the memories as if nothing had been pending.
 */
export function takeTurn(queue: HostQueue, uses: readonly Use[]): Promise<void> | undefined {
  if (isIdle()) return undefined;
  const touches = uses.map(({ memory, writes }) => (memory as HostMemory).touch(writes));
  if (!mustWait(queue, touches)) return undefined;
  let [begin, fail] = [() => {}, (_: unknown) => {}];
  const turn = new Promise<void>((resolve, reject) => {
    [begin, fail] = [resolve, reject];
  });
  const run = () => {
    begin();
    const ended = new Promise<void>((end) => setImmediate(end));
    return {
      ended,
      join: () => {
        throw unfinished();
      },
    };
  };
  const work = ask({ queue, touches, run });
  work.ended.catch(fail);
  // The first to hear of it: nothing comes between this and the code that waits for the promise.
  turn.then(
    () => work.stepAside(),
    () => {},
  );
  return turn;
}
