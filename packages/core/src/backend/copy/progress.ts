import type { CopyProgress } from '../interface/options.js';

/** Counts the bytes of a copy's destination that were written, and calls the listener. */
export class ProgressTracker {
  readonly total: number;
  readonly #tell: ((progress: CopyProgress) => void) | undefined;
  #bytes = 0;

  constructor(total: number, tell?: (progress: CopyProgress) => void) {
    this.total = total;
    this.#tell = tell;
  }

  get isFull(): boolean {
    return this.#bytes === this.total;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    this.#tell?.({ bytes: this.#bytes, total: this.total });
  }

  /**
   * Returns the error that ended the copy, with `bytesWritten`. A signal's reason may be shared
   * with other code, so it becomes the cause of a new AbortError.
   */
  interrupted(error: unknown, signal: AbortSignal | undefined): unknown {
    const bytesWritten = this.#bytes;
    if (signal?.aborted === true && error === signal.reason) {
      const message = `the copy was aborted after ${bytesWritten} of ${this.total} bytes`;
      const abort = new DOMException(message, 'AbortError');
      return Object.assign(abort, { cause: error, bytesWritten });
    }
    const isOpen = typeof error === 'object' && error !== null && Object.isExtensible(error);
    return isOpen ? Object.assign(error, { bytesWritten }) : error;
  }
}
