import { setTimeout as pause } from 'node:timers/promises';

/** Waits, with collections where they can be forced, until the count is down; gives the last one. */
export async function settle(count, wanted = 0) {
  for (let i = 0; i < 5000 && count() > wanted; i++) {
    globalThis.gc?.();
    await pause(20);
  }
  return count();
}
