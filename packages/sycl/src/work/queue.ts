import { ArrayInterfaceError } from '@array-interface/core';
import {
  BackendQueue,
  DeviceQueue,
  internals,
  isInstance,
  notAnEvent,
  type QueueEvent,
} from '@array-interface/core/backend';
import type { NativeQueue } from '../addon.js';
import { runtime } from '../driver/runtime.js';
import { Capsule } from './capsule.js';
import type { SyclContext } from './context.js';
import { SyclEvent } from './event.js';

/**
 * A SYCL queue. All work starts after what was enqueued earlier, even if the native queue runs out
 * of order. A queue can be the `syclobj` of an interface dict.
 *
 * @example
 * ```ts
 * import { sycl } from '@array-interface/sycl';
 *
 * using queue = sycl.createQueue();
 * using array = sycl.empty([3], 'float32', { queue });
 * await sycl.fill(array, 1);
 * await queue.synchronize();
 * ```
 */
export class SyclQueue extends DeviceQueue {
  /** Index of the queue's device. */
  readonly device: number;
  /** The context whose memory the queue can access. */
  readonly context: SyclContext;
  /** Whether the native queue runs one command at a time. */
  readonly inOrder: boolean;

  /** @internal `sycl.createQueue()` creates queues, `sycl.asQueue()` borrows them. */
  constructor({ handle: queue, inOrder }: NativeQueue, context: SyclContext) {
    super(runtime(), queue);
    this.context = context;
    this.device = context.device;
    this.inOrder = inOrder;
  }

  /**
   * The address of the native `DPCTLSyclQueueRef`, for code that enqueues work itself. It is valid
   * until this object is collected or disposed of. Throws ERR_DISPOSED.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * declare function scale(queue: bigint, values: bigint): void; // of your addon
   * using queue = sycl.createQueue();
   * using values = await sycl.array([1, 2, 3], { dtype: 'float32', queue });
   * await sycl.use(queue, { writes: [values] }, ({ handle }) => scale(handle, values.pointer));
   * ```
   */
  get handle(): bigint {
    return runtime().queueReference(this.native);
  }

  /**
   * Records an event after everything that was enqueued so far. Does not block. Throws
   * ERR_DISPOSED, and ERR_PENDING while work of the queue waits for a kernel that is being built.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * using queue = sycl.createQueue();
   * using other = sycl.createQueue();
   * other.wait(queue.record()); // work enqueued on `other` from now on starts after this event
   * ```
   */
  override record(): SyclEvent {
    internals(this).assertEnqueued();
    return new SyclEvent(runtime().record(this.native));
  }

  /** Returns the event of a queue. Throws ERR_ARGUMENT for another backend's event. */
  protected ownEvent(event: QueueEvent): SyclEvent {
    if (isInstance(event, SyclEvent)) return event;
    throw notAnEvent('an event of a SYCL queue', event);
  }

  /** Whether both objects refer to one native queue. */
  override isSame(other: BackendQueue): boolean {
    if (other === this) return true;
    return isOwn(other) && runtime().sameQueue(this.native, other.native);
  }

  /**
   * Returns the capsule that SUAI reads from a queue object. It holds the address of the native
   * `DPCTLSyclQueueRef`, which is valid while the capsule or the queue is referenced. Code that
   * keeps it longer copies it with `DPCTLQueue_Copy`.
   */
  _get_capsule(): Capsule {
    return new Capsule('SyclQueueRef', this.handle, this);
  }
}

/** Returns the queue as a queue of this backend. Throws ERR_ARGUMENT for another backend's. */
export function ownQueue(queue: BackendQueue): SyclQueue {
  if (isOwn(queue)) return queue;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'queue',
    "expected a queue of the SYCL backend, got another backend's; create one with sycl.createQueue()",
  );
}

/** True for a real queue of this backend, not a proxy of one. */
export function isOwn(value: unknown): value is SyclQueue {
  return BackendQueue.is(value) && value instanceof SyclQueue;
}
