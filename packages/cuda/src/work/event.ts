import { ArrayInterfaceError, type WaitOptions } from '@array-interface/core';
import { abortable, isInstance, type QueueEvent, readSignal } from '@array-interface/core/backend';
import { addon, type EventHandle } from '../addon.js';

/** A point in a stream's work. */
export class CudaEvent implements QueueEvent {
  /** @internal */
  readonly handle: EventHandle;
  /** Whether `elapsedSince` takes it. */
  readonly timing: boolean;

  /** @internal Streams make events. */
  constructor(handle: EventHandle, timing: boolean) {
    this.handle = handle;
    this.timing = timing;
  }

  /** Whether the point is reached. Does not wait. Throws ERR_CUDA when work before it failed. */
  query(): boolean {
    return addon().queryEvent(this.handle);
  }

  /** Settles when the point is reached; holds no thread. Rejects with ERR_CUDA or AbortError. */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    await abortable(addon().waitEvent(this.handle), signal);
  }

  /** Blocks the calling thread until the point is reached. Throws ERR_CUDA. */
  synchronizeSync(): void {
    addon().synchronizeEvent(this.handle);
  }

  /**
   * Milliseconds from an earlier point of the same device to this one, by the device's clock. Both
   * were recorded with `timing` and are reached: ERR_ARGUMENT, or ERR_CUDA (CUDA_ERROR_NOT_READY).
   */
  elapsedSince(start: CudaEvent): number {
    for (const [path, event] of Object.entries({ start, event: this })) {
      if (isInstance(event, CudaEvent) && event.timing) continue;
      throw new ArrayInterfaceError(
        'ERR_ARGUMENT',
        path,
        'expected an event with a time, got one without; record it with { timing: true }',
      );
    }
    return addon().elapsed(start.handle, this.handle);
  }
}
