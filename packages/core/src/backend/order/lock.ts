import { isArrayInterfaceError } from '../../errors/error.js';

/** How long work waits for a lock that another process holds, in milliseconds. */
const LOCK_TIMEOUT_MS = 5000;
/** Between two attempts. Those who hold it rightly do so for microseconds. */
const PAUSE_MS = 10;

/** Whether work was refused, before anything of it was enqueued, since another process holds a lock. */
export function isLockHeld(error: unknown): boolean {
  return isArrayInterfaceError(error, 'ERR_TICKET') && error.driverCode === 'EAGAIN';
}

/** A moment in which another process may let go. Holds no thread. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/**
 * Does work, and again while another process holds its lock, until `LOCK_TIMEOUT_MS` after a moment of
 * `performance.now()`; at least once. Null: it is done. Throws, or rejects, as the work did last.
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

/** The same, from now on, for work that rejects. */
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
