import { isArrayInterfaceError } from '../../errors/error.js';
import { abortable } from '../../input/abort.js';
import type { Driver } from '../interface/driver.js';
import type { EmptyOptions } from '../interface/options.js';

/** How long a call may hold its thread for memory on its way back, in milliseconds. */
export const TIMEOUT_MS = 1000;

/** The timeout that is left to one call, for all its allocations together. */
export class Deadline {
  readonly #until: number;

  constructor(milliseconds: number = TIMEOUT_MS) {
    this.#until = performance.now() + milliseconds;
  }

  /** Milliseconds, never negative. */
  get left(): number {
    return Math.max(0, this.#until - performance.now());
  }
}

/**
 * Calls `attempt`, and again whenever memory has come back, as long as that takes. Holds no thread.
 * Rejects with ERR_OUT_OF_MEMORY where no memory is on its way, and with the signal's reason.
 */
export async function whenThereIsMemory<T>(
  driver: Driver,
  options: EmptyOptions,
  signal: AbortSignal | undefined,
  tryOr: () => T,
): Promise<T> {
  for (let isLast = false; ; ) {
    const returned = driver.returned();
    try {
      return tryOr();
    } catch (error) {
      if (isLast || !isArrayInterfaceError(error, 'ERR_OUT_OF_MEMORY')) throw error;
    }
    // False: none is on its way any more, but kept memory may have been released meanwhile. One
    // more attempt.
    isLast = !(await abortable(driver.memoryReturned(options, returned), signal));
  }
}
