import { ArrayInterfaceError } from '@array-interface/core';
import {
  BackendQueue,
  internals,
  isInstance,
  type QueueEvent,
} from '@array-interface/core/backend';
import type { NativeQueue, QueueHandle } from '../addon.js';
import { runtime } from '../driver/runtime.js';
import { Capsule } from './capsule.js';
import type { SyclContext } from './context.js';
import { SyclEvent } from './event.js';

/**
 * A SYCL queue. Work starts after all that was enqueued before, whatever the native queue's order
 * is. It can be the `syclobj` of an interface dict.
 */
export class SyclQueue extends BackendQueue {
  /** Index of its device. */
  readonly device: number;
  /** The context whose memory it reaches. */
  readonly context: SyclContext;
  /** Whether the native queue runs one command at a time. */
  readonly inOrder: boolean;
  #native: QueueHandle | null;

  /** @internal `sycl.createQueue()` makes queues, `sycl.asQueue()` borrows them. */
  constructor({ queue, inOrder }: NativeQueue, context: SyclContext) {
    super();
    this.#native = queue;
    this.context = context;
    this.device = context.device;
    this.inOrder = inOrder;
  }

  /**
   * The address of the native `DPCTLSyclQueueRef`, for code that enqueues by itself; see
   * `Backend.use`. It is good while this object is held and not disposed of. Throws ERR_DISPOSED.
   */
  get handle(): bigint {
    return runtime().queueReference(this.native);
  }

  /** The native queue. Throws ERR_DISPOSED once it was given back. @internal */
  get native(): QueueHandle {
    if (this.#native !== null) return this.#native;
    throw new ArrayInterfaceError(
      'ERR_DISPOSED',
      'queue',
      'expected a live queue, got one that was given back; create another',
    );
  }

  /** Throws ERR_DISPOSED once the native queue was given back. @internal */
  assertNative(): void {
    void this.native;
  }

  /**
   * Marks a point after everything enqueued so far. Does not wait. Throws ERR_PENDING while work of the
   * queue waits for a kernel which is being built.
   */
  override record(): SyclEvent {
    internals(this).assertEnqueued();
    return new SyclEvent(runtime().record(this.native));
  }

  /**
   * Whether everything enqueued here so far has ended, by any library. Does not wait. Once somebody
   * has asked for the capsule, it may spin for half a millisecond before it says no.
   */
  override query(): boolean {
    return internals(this).isEnqueued && runtime().queueQuery(this.native);
  }

  /** Throws ERR_TYPE for an event of another backend. */
  wait(event: QueueEvent): void {
    if (!isInstance(event, SyclEvent)) {
      throw new ArrayInterfaceError(
        'ERR_TYPE',
        'event',
        'expected an event of a SYCL queue, got another; wait for it with synchronize() first',
      );
    }
    runtime().queueWait(this.native, event.handle);
  }

  /** Whether both stand for one native queue. */
  override isSame(other: BackendQueue): boolean {
    if (other === this) return true;
    return isOwn(other) && runtime().sameQueue(this.native, other.native);
  }

  /**
   * What SUAI reads from a queue object: the address of the native `DPCTLSyclQueueRef`, valid while
   * the capsule or the queue is held. Code that keeps it longer copies it with DPCTLQueue_Copy.
   */
  _get_capsule(): Capsule {
    return new Capsule('SyclQueueRef', this.handle, this);
  }

  /** Ends the native queue in the background, after its work. */
  protected destroy(): void {
    const { native } = this;
    this.#native = null;
    runtime().endQueue(native);
  }
}

/**
 * The queue as one of ours. Null when none was named. Throws ERR_ARGUMENT for another backend's.
 */
export function ownQueue(queue: BackendQueue | null | undefined): SyclQueue | null {
  if (queue === undefined || queue === null) return null;
  if (isOwn(queue)) return queue;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'queue',
    'expected a queue of the SYCL backend, got one of another; create it with sycl.createQueue()',
  );
}

/** Whether it is a queue of ours, and no proxy of one. */
export function isOwn(value: unknown): value is SyclQueue {
  return BackendQueue.is(value) && value instanceof SyclQueue;
}
