import { abortable, type Event, type WaitOptions } from '@array-interface/core/backend';
import { addon, type EventHandle } from './addon.js';

/** A point in a stream's work. */
export class CudaEvent implements Event {
  /** @internal */
  readonly handle: EventHandle;

  /** @internal Streams make events. */
  constructor(handle: EventHandle) {
    this.handle = handle;
  }

  /** Whether the point is reached. Does not wait. Throws ERR_CUDA when work before it failed. */
  query(): boolean {
    return addon().queryEvent(this.handle);
  }

  /** Settles when the point is reached; holds no thread. Rejects with ERR_CUDA or AbortError. */
  synchronize(options: WaitOptions = {}): Promise<void> {
    return abortable(addon().waitEvent(this.handle), options.signal);
  }

  /** Blocks the calling thread until the point is reached. Throws ERR_CUDA. */
  synchronizeSync(): void {
    addon().synchronizeEvent(this.handle);
  }
}
