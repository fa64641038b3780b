import { EventEmitter } from 'node:events';
import { isMainThread } from 'node:worker_threads';
import { ArrayInterfaceError } from '@array-interface/core';
import { show } from '@array-interface/core/backend';

/** Throws ERR_ARGUMENT or ERR_TYPE: an event with a misspelt name would never be emitted. */
export function checkListener(event: unknown, listener: unknown): void {
  if (event !== 'error') {
    const message = `expected the event 'error', got ${show(event)}; there is no other`;
    throw new ArrayInterfaceError('ERR_ARGUMENT', 'event', message);
  }
  if (typeof listener === 'function') return;
  const message = `expected a function, got ${show(listener)}; it is called with an ArrayInterfaceError`;
  throw new ArrayInterfaceError('ERR_TYPE', 'listener', message);
}

/** Errors of enqueued work that reject no promise, as `'error'` events. */
export class AsyncErrors extends EventEmitter<{ error: [ArrayInterfaceError] }> {
  /**
   * Emits an error for an error code of the runtime. If there is no listener, the main thread emits
   * a warning.
   */
  tell(code: number): void {
    const error = new ArrayInterfaceError(
      'ERR_SYCL',
      null,
      `expected the enqueued work to succeed, got asynchronous error ${code} from the SYCL runtime ` +
        'while nothing waited for it; its results are not valid',
      { driverNumber: code },
    );
    if (this.listenerCount('error') > 0) this.emit('error', error);
    else if (isMainThread) process.emitWarning(error);
  }
}
