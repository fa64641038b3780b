import { abortable } from './abort.js';
import { type End, ended, type Guest } from './end.js';
import type { Lane } from './lanes.js';
import { parts } from './parts.js';
import type { Way } from './way.js';

/** What goes at a time, so that a signal ends the copy and progress shows. */
const PASS_BYTES = 64 * 1024 * 1024;
/** The next part is enqueued while one is on its way. */
const LANES = 2;

/**
 * The way of a copy where a queue of one side reaches the other: straight from memory to memory. The
 * other side's pending work is waited for, and nothing is left that its next would have to wait for.
 * Null where none reaches the other.
 */
export function onePass(to: End, from: End, chunkBytes: number = PASS_BYTES): Way | null {
  // rather by a queue than by the calling thread
  for (const worker of to.worksAtOnce ? [from, to] : [to, from]) {
    const other = worker === to ? from : to;
    if (other.memory.allocation === null) continue; // only trusted to be there
    const guest = worker.guest(other.array, other.memory);
    if (guest !== null) return pass(worker, other, guest, worker === to, chunkBytes);
  }
  return null;
}

function pass(worker: End, other: End, guest: Guest, isTarget: boolean, chunkBytes: number): Way {
  guest.memory.retain();
  let isFirst = true;
  const lane: Lane = async (to, from) => {
    if (worker.worksAtOnce && !isFirst) await nextTask();
    isFirst = false;
    worker.check(isTarget ? to : from);
    other.check();
    const [target, origin] = isTarget
      ? [worker.memory, guest.memory]
      : [guest.memory, worker.memory];
    await ended(worker, worker.move(to, target, from, origin));
  };
  const [to, from] = isTarget ? [worker.array, guest.array] : [guest.array, worker.array];
  return {
    pairs: parts(to, from, chunkBytes),
    lanes: Array.from({ length: worker.worksAtOnce ? 1 : LANES }, () => lane),
    async begin(signal) {
      other.memory.before(other.queue);
      await abortable(other.queue.record().synchronize(), signal);
    },
    end: () => guest.memory.release(),
  };
}

/** Lets timers and other events have their turn, an abort among them. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
