import { copyOn } from './copy-on.js';
import type { Memory } from './memory.js';
import type { DrivenSide, Side } from './side.js';

/**
 * Copies on a side's queue; settles when all work on `waited` has ended, whether it failed or not: the
 * memory of one of the two that nothing else works on.
 */
export async function copyAndWait(
  { driver, queue }: DrivenSide,
  to: Side,
  from: Side,
  waited: Memory,
): Promise<void> {
  try {
    copyOn(driver, queue, to, from);
  } catch (error) {
    await waited.synchronize().catch(() => {}); // a first step may be enqueued
    throw error;
  }
  await waited.synchronize();
}
