import type { Rounding } from '../../numbers/rounding.js';
import type { DrivenSide, Side } from '../access/acquire.js';
import { Deadline, whenThereIsMemory } from '../access/deadline.js';
import type { Memory } from '../interface/memory.js';
import { countDeferred, enqueuedSince } from '../order/deferred-work.js';
import { enqueueCopy } from './enqueue-copy.js';

/**
 * Copies on a side's queue as soon as there is memory for it. Settles when the copy has ended,
 * whether or not it failed, and reports a failure to `failed` immediately. `waited` is the memory
 * of one of the two; no other work uses it.
 */
export async function copyAndWait(
  { driver, queue }: DrivenSide,
  to: Side,
  from: Side,
  waited: Memory,
  failed: (reason: unknown) => void,
  rounding?: Rounding,
): Promise<void> {
  let isOneStep = false;
  try {
    const none = new Deadline(0);
    const asked = await whenThereIsMemory(driver, { queue }, undefined, () => {
      const before = countDeferred();
      const isOne = enqueueCopy(driver, queue, to, from, none, rounding);
      return { isOne, pending: enqueuedSince(before) };
    });
    isOneStep = asked.isOne;
    if (asked.pending !== null) await asked.pending;
  } catch (error) {
    failed(error);
    await waited.synchronize().catch(() => {}); // a first step may have been enqueued
    throw error;
  }
  // The last of several steps works on a temporary and the other side, so `waited` does not tell
  // when it ends. The queue does.
  const ended = isOneStep ? null : queue.synchronize();
  const ends = await Promise.allSettled([waited.synchronize(), ended]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
