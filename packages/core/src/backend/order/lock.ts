import { isArrayInterfaceError } from '../../errors/error.js';

/** How long work waits for a lock that another process holds, in milliseconds. */
const LOCK_TIMEOUT_MS = 5000;
/** The pause between two attempts. A lock is normally held for microseconds. */
const PAUSE_MS = 10;

/**
 * Returns whether work was refused, before any of it was enqueued, because another process holds a
 * lock.
 */
export function isLockHeld(error: unknown): boolean {
  return isArrayInterfaceError(error, 'ERR_TICKET') && error.driverCode === 'EAGAIN';
}

/**
 * Settles after a moment in which another process may release its lock. Does not block a thread.
 */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/**
 * Does work, and retries while another process holds its lock, until `LOCK_TIMEOUT_MS` after
 * `since`, a time of `performance.now()`; at least once. Returns null if it is done. Throws, or
 * rejects with, the last error of the work.
 */
export function whenLockIsFree(
  work: () => void | Promise<void>,
  since: number,
): Promise<void> | null {
  try {
    return work() ?? null;
  } catch (error) {
    if (!isLockHeld(error)) throw error;
    return again(work, since + LOCK_TIMEOUT_MS);
  }
}

/** Does the same from now on, for work that rejects. */
export async function awaitLock(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isLockHeld(error)) throw error;
    await again(work, performance.now() + LOCK_TIMEOUT_MS);
  }
}

async function again(work: () => void | Promise<void>, until: number): Promise<void> {
  for (;;) {
    await pause();
    try {
      return await work();
    } catch (error) {
      if (!isLockHeld(error) || performance.now() >= until) throw error;
    }
  }
}
