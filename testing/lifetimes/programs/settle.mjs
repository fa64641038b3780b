import { setTimeout as pause } from 'node:timers/promises';

/** Waits until the count is no more than wanted, and forces collections if it can. Returns the last count. */
export async function settle(count, wanted = 0) {
  for (let i = 0; i < 5000 && count() > wanted; i++) {
    globalThis.gc?.();
    await pause(20);
  }
  return count();
}
