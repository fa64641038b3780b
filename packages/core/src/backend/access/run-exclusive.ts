import { abortable } from '../../input/abort.js';
import type { Memory } from '../interface/memory.js';

/** Settles when the last exclusive work on a memory has ended. */
const last = new WeakMap<Memory, Promise<unknown>>();

/**
 * Does `work` once earlier exclusive work on any of these memories has ended, or immediately if
 * there is none. For copies between backends: they enqueue a chunk when another has ended, so no
 * queue orders them.
 */
export async function runExclusive(
  memories: readonly Memory[],
  signal: AbortSignal | undefined,
  work: () => Promise<void>,
): Promise<void> {
  const earlier = memories.flatMap((memory) => last.get(memory) ?? []);
  const before = earlier.length === 0 ? null : Promise.all(earlier);
  const done = before === null ? work() : abortable(before, signal).then(work);
  // Settles to nothing: a result would keep the results of all earlier work alive.
  const both = Promise.allSettled([before, done]).then(() => undefined);
  for (const memory of memories) last.set(memory, both);
  // Waits for `both`, not for `done`: work that was cancelled while it waited still has earlier
  // work before it.
  void both.then(() => {
    for (const memory of memories) if (last.get(memory) === both) last.delete(memory);
  });
  await done;
}
