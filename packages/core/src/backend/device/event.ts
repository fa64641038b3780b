import { abortable } from '../../input/abort.js';
import { type QueueEvent, readSignal, type WaitOptions } from '../interface/queue.js';
import type { DeviceAddon, EventHandle } from './addon.js';

/** An event in a native queue. It completes once everything enqueued before it has ended. */
export abstract class DeviceEvent implements QueueEvent {
  /** The event in the addon. */
  readonly native: EventHandle;
  readonly #addon: DeviceAddon;

  constructor(addon: DeviceAddon, native: EventHandle) {
    this.#addon = addon;
    this.native = native;
  }

  /**
   * Returns whether the event is complete. Does not block. Throws ERR_CUDA or ERR_SYCL if work
   * before it failed.
   */
  query(): boolean {
    return this.#addon.queryEvent(this.native);
  }

  /**
   * Settles once the event is complete. Does not block a thread. Rejects with ERR_CUDA or ERR_SYCL
   * if work before it failed, and with the signal's reason.
   */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    await abortable(this.#addon.waitEvent(this.native), signal);
  }

  /**
   * Blocks the calling thread until the event is complete. Throws ERR_CUDA or ERR_SYCL if work
   * before it failed.
   */
  synchronizeSync(): void {
    this.#addon.waitEventSync(this.native);
  }
}
