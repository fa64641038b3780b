/// <reference lib="esnext.disposable" preserve="true" />

import { mismatch } from '../../errors/mismatch.js';
import { show } from '../../errors/show.js';
import { abortable } from '../../input/abort.js';
import { type Checks, checkSignal, readOptions } from '../../input/options.js';
import { afterTurns, assertNoTurn, waitingOn } from '../order/deferred-work.js';

/** How to give up an asynchronous wait. The promise rejects with `AbortError`; the work goes on. */
export interface WaitOptions {
  /** Ends the wait: the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

const WAIT_OPTIONS: Checks<WaitOptions> = { signal: checkSignal };

/** Reads the signal that ends a wait. Throws ERR_ARGUMENT for what is none, and for other options. */
export function readSignal(options: WaitOptions): AbortSignal | undefined {
  return readOptions(options, WAIT_OPTIONS).signal;
}

/** A point in a queue's work. It is reached when everything enqueued before it has ended. */
export interface QueueEvent {
  /** Whether the point is reached. Does not wait. Throws when the work before it failed. */
  query(): boolean;
  /** Settles when the point is reached; rejects when the work before it failed. Holds no thread. */
  synchronize(options?: WaitOptions): Promise<void>;
  /** Blocks the calling thread until the point is reached. */
  synchronizeSync(): void;
}

/**
 * An order of work on a device: a CUDA stream or a SYCL queue; the host's runs everything at once.
 * A queue that was disposed while arrays still need it ends with the last of them.
 */
export abstract class BackendQueue implements Disposable {
  /** Index of the device that the queue's work runs on. */
  abstract readonly device: number;
  /**
   * The native queue, for code that enqueues by itself (`Backend.use`): a CUstream, the address of a
   * DPCTLSyclQueueRef, 0n on the host. It is good while this object is held and not disposed of.
   */
  abstract readonly handle: bigint;
  #holders = 1;
  #disposed = false;

  /** Whether it is a queue, and no proxy or child of one, on which nothing can be enqueued. */
  static is(value: unknown): value is BackendQueue {
    return typeof value === 'object' && value !== null && #disposed in value;
  }

  /**
   * Marks a point after everything enqueued so far. Does not wait. Throws ERR_PENDING while work of the
   * queue waits for a kernel which is being built.
   */
  abstract record(): QueueEvent;
  /** Makes everything enqueued from now on start after `event`. Does not wait. */
  abstract wait(event: QueueEvent): void;
  /** Gives the native queue back. Called once, when nobody holds it any more. */
  protected abstract destroy(): void;

  /** Whether it was disposed. Arrays that still need it keep the native queue. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /** Whether everything asked for so far has ended. Does not wait. */
  query(): boolean {
    return this.isEnqueued && this.record().query();
  }

  /** Whether both stand for one native queue. */
  isSame(other: BackendQueue): boolean {
    return other === this;
  }

  /** Settles when everything asked for so far has ended; holds neither event loop nor thread pool. */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    const ended = afterTurns(waitingOn(this), () => this.record().synchronize());
    await abortable(ended, signal);
  }

  /**
   * Blocks the calling thread until everything enqueued so far has ended. Throws ERR_PENDING while work
   * waits for a kernel.
   */
  synchronizeSync(): void {
    this.record().synchronizeSync();
  }

  /**
   * Throws ERR_CAPTURE where work enqueued now would be recorded for later (CUDA). Changes nothing.
   */
  protected checkRuns(): void {}

  /** @internal */
  get isEnqueued(): boolean {
    return waitingOn(this).length === 0;
  }

  /** @internal */
  assertEnqueued(): void {
    assertNoTurn(waitingOn(this), 'queue');
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
    if (!this.#disposed) return;
    throw mismatch(
      'ERR_DISPOSED',
      'queue',
      'a live queue',
      'one that was disposed',
      'create another',
    );
  }

  /** Ends our interest: the native queue ends with the last array that needs it. Does not wait. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.release();
  }
}

/**
 * Throws ERR_ARGUMENT for what is no queue, ERR_DISPOSED for an ended one. The backend checks whose
 * it is.
 */
export function checkQueue(value: unknown): void {
  if (!BackendQueue.is(value)) {
    throw mismatch('ERR_ARGUMENT', 'queue', 'a queue', show(value), 'make one with createQueue()');
  }
  value.assertLive();
}
