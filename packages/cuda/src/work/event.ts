import { ArrayInterfaceError } from '@array-interface/core';
import { DeviceEvent, type EventHandle, isInstance } from '@array-interface/core/backend';
import { addon } from '../addon.js';

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
export class CudaEvent extends DeviceEvent {
  /** Whether the event has a time, for `elapsedSince`. */
  readonly timing: boolean;

  /** @internal Made by `Stream.record()`. */
  constructor(handle: EventHandle, timing: boolean) {
    super(addon(), handle);
    this.timing = timing;
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
    return addon().elapsed(start.native, this.native);
  }
}
