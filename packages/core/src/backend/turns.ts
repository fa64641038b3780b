import { abortable } from './abort.js';
import type { Memory } from './memory.js';

/** When the last copy between backends that takes part in a memory has ended. */
const turns = new WeakMap<Memory, Promise<unknown>>();

/**
 * Does `work` once earlier copies of any of these memories between backends have ended; begins at once
 * where there is none. No queue orders such copies: their parts are enqueued as others end.
 */
export async function inTurn(
  memories: readonly Memory[],
  signal: AbortSignal | undefined,
  work: () => Promise<void>,
): Promise<void> {
  const earlier = memories.flatMap((memory) => turns.get(memory) ?? []);
  const before = earlier.length === 0 ? null : Promise.all(earlier);
  const done = before === null ? work() : abortable(before, signal).then(work);
  // Without what became of them: each behind would keep that of all before it.
  const turn = Promise.allSettled([before, done]).then(() => undefined);
  for (const memory of memories) turns.set(memory, turn);
  // Not when `done` rejects: one that was given up while it waited still has others before it.
  void turn.then(() => {
    for (const memory of memories) if (turns.get(memory) === turn) turns.delete(memory);
  });
  await done;
}
