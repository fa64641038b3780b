/// <reference lib="esnext.disposable" preserve="true" />

import type { ArrayInterfaceError } from '../../errors/error.js';
import { mismatch } from '../../errors/mismatch.js';
import { show } from '../../errors/show.js';
import { withFallback } from '../../errors/with-fallback.js';
import { abortable } from '../../input/abort.js';
import { type Checks, checkSignal, readOptions } from '../../input/options.js';
import { afterDeferred, assertNoneDeferred, waitingOn } from '../order/deferred-work.js';

/** How to stop an asynchronous wait. The promise rejects with `AbortError`; the work continues. */
export interface WaitOptions {
  /** Ends the wait: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

const WAIT_OPTIONS: Checks<WaitOptions> = { signal: checkSignal };

/**
 * Reads the signal that ends a wait. Throws ERR_ARGUMENT if it is not an AbortSignal, and for
 * unknown options.
 */
export function readSignal(options: WaitOptions): AbortSignal | undefined {
  return readOptions(options, WAIT_OPTIONS).signal;
}

/** An event in a queue's work. It is complete once everything enqueued before it has ended. */
export interface QueueEvent {
  /** Returns whether the event is complete. Does not block. Throws if the work before it failed. */
  query(): boolean;
  /**
   * Settles once the event is complete. Rejects if the work before it failed. Does not block a
   * thread.
   */
  synchronize(options?: WaitOptions): Promise<void>;
  /** Blocks the calling thread until the event is complete. Throws if the work before it failed. */
  synchronizeSync(): void;
}

/**
 * Returns the error for an object that a queue cannot wait for. `expected` is an event of a queue of
 * its backend.
 */
export function notAnEvent(expected: string, event: unknown): ArrayInterfaceError {
  const isEvent = withFallback(
    () => typeof (event as QueueEvent | null)?.synchronize === 'function',
    false,
  );
  return isEvent
    ? mismatch('ERR_ARGUMENT', 'event', expected, 'another', 'await its synchronize() first')
    : mismatch('ERR_ARGUMENT', 'event', expected, show(event), 'a queue records one with record()');
}

/** Returns the error for a queue that was disposed. */
export function disposedQueue(): ArrayInterfaceError {
  const cure = 'create another';
  return mismatch('ERR_DISPOSED', 'queue', 'a live queue', 'one that was disposed', cure);
}

/**
 * An in-order queue of work on a device: a CUDA stream or a SYCL queue. The host's queue runs
 * everything immediately. The native queue of a disposed queue is released with the last array that
 * needs it.
 */
export abstract class BackendQueue implements Disposable {
  /** Index of the device that the queue's work runs on. */
  abstract readonly device: number;
  /**
   * The native queue, for code that enqueues work itself (`Backend.use`): a CUstream, the address
   * of a DPCTLSyclQueueRef, or 0n on the host. Valid while this object is referenced and not
   * disposed.
   */
  abstract readonly handle: bigint;
  #holders = 1;
  #disposed = false;

  /**
   * True for a real queue. False for a proxy of a queue and for an object that merely inherits from
   * one: nothing can be enqueued to those.
   */
  static is(value: unknown): value is BackendQueue {
    return typeof value === 'object' && value !== null && #disposed in value;
  }

  /**
   * Records an event after everything enqueued so far. Does not block. Throws ERR_PENDING if work
   * of the queue waits for a kernel that is being built.
   */
  abstract record(): QueueEvent;
  /**
   * Makes everything enqueued from now on start after `event`. Does not block. Throws ERR_ARGUMENT
   * for an event of another backend.
   */
  abstract wait(event: QueueEvent): void;
  /** Releases the native queue. Called once, after the last reference is released. */
  protected abstract destroy(): void;

  /** Whether the queue was disposed. Arrays that still need it keep the native queue. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /** Returns whether everything requested so far has ended. Does not block. */
  query(): boolean {
    return this.isEnqueued && this.record().query();
  }

  /** Returns whether both objects refer to the same native queue. */
  isSame(other: BackendQueue): boolean {
    return other === this;
  }

  /**
   * Settles once everything requested so far has ended. Blocks neither the event loop nor the
   * thread pool. Rejects with the error of work that failed, or with the reason of
   * `options.signal`.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using stream = cuda.createStream();
   * using array = cuda.empty([3], 'float32', { queue: stream });
   * await cuda.fill(array, 0, { queue: stream });
   * await stream.synchronize(); // the fill has now ended
   * ```
   */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    const ended = afterDeferred(waitingOn(this), () => this.record().synchronize());
    await abortable(ended, signal);
  }

  /**
   * Blocks the calling thread until everything enqueued so far has ended. Throws ERR_PENDING if
   * work waits for a kernel that is being built.
   */
  synchronizeSync(): void {
    this.record().synchronizeSync();
  }

  /**
   * Throws ERR_CAPTURE if work enqueued now would be recorded for later (CUDA). Changes nothing.
   */
  protected checkRuns(): void {}

  /** @internal */
  get isEnqueued(): boolean {
    return waitingOn(this).length === 0;
  }

  /** @internal */
  assertEnqueued(): void {
    assertNoneDeferred(waitingOn(this), 'queue');
  }

  /** @internal */
  assertRuns(): void {
    this.checkRuns();
  }

  /** @internal */
  retain(): void {
    this.#holders++;
  }

  /** @internal */
  release(): void {
    if (--this.#holders === 0) this.destroy();
  }

  /** @internal */
  assertLive(): void {
    if (this.#disposed) throw disposedQueue();
  }

  /**
   * Disposes the queue. The native queue is released with the last array that needs it. Does not
   * block.
   */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.release();
  }

  /** Does what `dispose` does, at the end of a block with `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/**
 * Throws ERR_ARGUMENT for anything but a queue, ERR_DISPOSED for a disposed one. The backend checks
 * whose queue it is.
 */
export function checkQueue(value: unknown): void {
  if (!BackendQueue.is(value)) {
    throw mismatch(
      'ERR_ARGUMENT',
      'queue',
      'a queue',
      show(value),
      'create one with createQueue()',
    );
  }
  value.assertLive();
}
