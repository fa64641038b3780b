import { EventEmitter } from 'node:events';
import { isMainThread } from 'node:worker_threads';
import { ArrayInterfaceError } from '@array-interface/core';

/** Errors of enqueued work that reject no promise, as `'error'` events. */
export class AsyncErrors extends EventEmitter<{ error: [ArrayInterfaceError] }> {
  /**
   * Tells the listeners of an error code of the runtime. In the main thread, a warning if there is
   * none.
   */
  tell(code: number): void {
    const error = new ArrayInterfaceError(
      'ERR_SYCL',
      null,
      `expected the enqueued work to succeed, got asynchronous error ${code} from the SYCL runtime ` +
        'and nobody waiting; its results are not valid',
      { driverNumber: code },
    );
    if (this.listenerCount('error') > 0) this.emit('error', error);
    else if (isMainThread) process.emitWarning(error);
  }
}
