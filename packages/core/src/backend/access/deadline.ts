import { isArrayInterfaceError } from '../../errors/error.js';
import { abortable } from '../../input/abort.js';
import type { Driver } from '../interface/driver.js';
import type { EmptyOptions } from '../interface/options.js';

/** How long a call may block its thread for memory that is about to be free, in milliseconds. */
export const TIMEOUT_MS = 1000;

/** The timeout that one call has left, shared by all its allocations. */
export class Deadline {
  readonly #until: number;

  constructor(milliseconds: number = TIMEOUT_MS) {
    this.#until = performance.now() + milliseconds;
  }

  /** The remaining milliseconds: a whole number, never negative. */
  get left(): number {
    return Math.max(0, Math.ceil(this.#until - performance.now()));
  }
}

/**
 * Calls `attempt`, and again whenever memory has been returned, without a time limit. Does not
 * block a thread. Rejects with ERR_OUT_OF_MEMORY if no memory is about to be free, and with the
 * signal's reason.
 */
export async function whenThereIsMemory<T>(
  driver: Driver,
  options: EmptyOptions,
  signal: AbortSignal | undefined,
  attempt: () => T,
): Promise<T> {
  for (let isLast = false; ; ) {
    const returned = driver.returned();
    try {
      return attempt();
    } catch (error) {
      if (isLast || !isArrayInterfaceError(error, 'ERR_OUT_OF_MEMORY')) throw error;
    }
    // False: no memory is about to be returned, but cached memory may have been released meanwhile.
    // Try once more.
    isLast = !(await abortable(driver.memoryReturned(options, returned), signal));
  }
}
