import { BackendQueue, disposedQueue, type QueueEvent } from '../interface/queue.js';
import type { DeviceAddon, QueueHandle } from './addon.js';
import type { DeviceEvent } from './event.js';

/** A queue whose native part is in the addon. */
export abstract class DeviceQueue extends BackendQueue {
  readonly #addon: DeviceAddon;
  #native: QueueHandle | null;

  constructor(addon: DeviceAddon, native: QueueHandle) {
    super();
    this.#addon = addon;
    this.#native = native;
  }

  /** Returns the event. Throws for an event of another backend's queue. */
  protected abstract ownEvent(event: QueueEvent): DeviceEvent;

  /** The queue in the addon. Throws ERR_DISPOSED once it was released. */
  get native(): QueueHandle {
    if (this.#native === null) throw disposedQueue();
    return this.#native;
  }

  /**
   * Returns whether everything that any library enqueued here so far has ended. Does not block. On
   * SYCL, it may spin for half a millisecond before it returns false, once the capsule or the handle
   * was requested. Throws ERR_CUDA or ERR_SYCL if work failed.
   */
  override query(): boolean {
    return this.isEnqueued && this.#addon.queryQueue(this.native);
  }

  /**
   * Makes everything enqueued from now on start after `event`. Does not block. Throws ERR_DISPOSED,
   * and ERR_ARGUMENT for another backend's event. On CUDA, throws ERR_CUDA if work before the event
   * failed. If the event's device is lost later, the work after the event is lost too, and waits for
   * that work reject.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using producer = cuda.createStream();
   * using consumer = cuda.createStream();
   * consumer.wait(producer.record());
   * ```
   */
  wait(event: QueueEvent): void {
    this.#addon.enqueueWait(this.native, this.ownEvent(event).native);
  }

  /** Releases the native queue, which ends once its work has ended. */
  protected destroy(): void {
    const { native } = this;
    this.#native = null;
    this.#addon.endQueue(native);
  }
}
