import { copyOn } from './copy-on.js';
import type { Memory } from './memory.js';
import { Patience, whenThereIsMemory } from './patience.js';
import type { DrivenSide, Side } from './side.js';

/**
 * Copies on a side's queue, as soon as there is memory for what it takes; settles when all work on `waited` has ended, whether it failed or not: the
 * memory of one of the two that nothing else works on.
 */
export async function copyAndWait(
  { driver, queue }: DrivenSide,
  to: Side,
  from: Side,
  waited: Memory,
): Promise<void> {
  try {
    const none = new Patience(0);
    await whenThereIsMemory(driver, { queue }, undefined, () =>
      copyOn(driver, queue, to, from, none),
    );
  } catch (error) {
    await waited.synchronize().catch(() => {}); // a first step may be enqueued
    throw error;
  }
  await waited.synchronize();
}
