import { ArrayInterfaceError, type WaitOptions } from '@array-interface/core';
import { abortable, isInstance, type QueueEvent, readSignal } from '@array-interface/core/backend';
import { addon, type EventHandle } from '../addon.js';

/**
 * An event in a stream. It completes once everything enqueued before it has ended.
 *
 * @example
 * ```ts
 * import { cuda } from '@array-interface/cuda';
 *
 * using stream = cuda.createStream();
 * using array = cuda.empty([1024], 'float32', { queue: stream });
 * const start = stream.record({ timing: true });
 * await cuda.fill(array, 0, { queue: stream });
 * const end = stream.record({ timing: true });
 * await end.synchronize();
 * const milliseconds = end.elapsedSince(start);
 * ```
 */
export class CudaEvent implements QueueEvent {
  /** @internal */
  readonly handle: EventHandle;
  /** Whether the event has a time, for `elapsedSince`. */
  readonly timing: boolean;

  /** @internal Made by `Stream.record()`. */
  constructor(handle: EventHandle, timing: boolean) {
    this.handle = handle;
    this.timing = timing;
  }

  /**
   * Returns whether the event is complete. Does not block. Throws ERR_CUDA if work before it
   * failed.
   */
  query(): boolean {
    return addon().queryEvent(this.handle);
  }

  /** Settles once the event is complete. Does not block. Rejects with ERR_CUDA or AbortError. */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    await abortable(addon().waitEvent(this.handle), signal);
  }

  /** Blocks the calling thread until the event is complete. Throws ERR_CUDA. */
  synchronizeSync(): void {
    addon().waitEventSync(this.handle);
  }

  /**
   * Returns the milliseconds from an earlier event of the same device to this one, by the device's
   * clock. Both events must be complete and recorded with `timing`. Throws ERR_ARGUMENT if one has
   * no time, and ERR_CUDA (CUDA_ERROR_NOT_READY) if one is not complete.
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
