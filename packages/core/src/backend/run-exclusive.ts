import { abortable } from './abort.js';
import type { Memory } from './memory.js';

/** When the last exclusive work on a memory has ended. */
const last = new WeakMap<Memory, Promise<unknown>>();

/**
 * Does `work` once earlier work of this kind on any of these memories has ended; begins at once where
 * there is none. For copies between backends, which no queue orders: their chunks are enqueued as others
 * end.
 */
export async function runExclusive(
  memories: readonly Memory[],
  signal: AbortSignal | undefined,
  work: () => Promise<void>,
): Promise<void> {
  const earlier = memories.flatMap((memory) => last.get(memory) ?? []);
  const before = earlier.length === 0 ? null : Promise.all(earlier);
  const done = before === null ? work() : abortable(before, signal).then(work);
  // Settles to nothing: a result here would keep the results of all work before it.
  const turn = Promise.allSettled([before, done]).then(() => undefined);
  for (const memory of memories) last.set(memory, turn);
  // Not when `done` rejects: work that was given up while it waited still has others before it.
  void turn.then(() => {
    for (const memory of memories) if (last.get(memory) === turn) last.delete(memory);
  });
  await done;
}
