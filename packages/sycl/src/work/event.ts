import type { WaitOptions } from '@array-interface/core';
import type { QueueEvent } from '@array-interface/core/backend';
import { abortable, readSignal } from '@array-interface/core/backend';
import type { EventHandle } from '../addon.js';
import { runtime } from '../driver/runtime.js';

/** The execution status of an event, as the runtime reports it. */
export type EventStatus = 'unknown' | 'submitted' | 'running' | 'complete';

/** Times of an event, in nanoseconds of the device's clock. */
export interface EventTimes {
  /** When the event was submitted. */
  readonly submitted: bigint;
  /** When the event started. */
  readonly started: bigint;
  /** When the event completed. */
  readonly ended: bigint;
}

const STATUSES: readonly EventStatus[] = ['unknown', 'submitted', 'running', 'complete'];

/**
 * An event of a SYCL queue. It completes when all work that was enqueued before it has ended.
 *
 * @example
 * ```ts
 * import { sycl } from '@array-interface/sycl';
 *
 * using queue = sycl.createQueue();
 * const event = queue.record();
 * await event.synchronize();
 * ```
 */
export class SyclEvent implements QueueEvent {
  /** @internal */
  readonly handle: EventHandle;

  constructor(handle: EventHandle) {
    this.handle = handle;
  }

  /** The execution status of the event, as the runtime reports it. Does not block. */
  get status(): EventStatus {
    return STATUSES[runtime().eventStatus(this.handle)] as EventStatus;
  }

  /**
   * When the device received, started and completed the event, in nanoseconds of the device's
   * clock. The work between two events took the difference of their `ended`. Throws ERR_ARGUMENT
   * before the event is complete, and for a queue created without `profiling`.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * using queue = sycl.createQueue({ profiling: true });
   * using array = sycl.empty([3], 'float32', { queue });
   * const before = queue.record();
   * await sycl.fill(array, 1, { queue });
   * const after = queue.record();
   * await after.synchronize();
   * const nanoseconds = after.times.ended - before.times.ended;
   * ```
   */
  get times(): EventTimes {
    const [submitted, started, ended] = runtime().eventTimes(this.handle);
    return { submitted, started, ended };
  }

  /**
   * Returns true once the event is complete. Does not block. Throws ERR_SYCL if the work before it
   * failed.
   */
  query(): boolean {
    return runtime().queryEvent(this.handle);
  }

  /**
   * Settles once the event is complete. Does not block a thread. Rejects with ERR_SYCL if the work
   * before it failed, and with the signal's reason.
   */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    await abortable(runtime().waitEvent(this.handle), signal);
  }

  /**
   * Blocks the calling thread until the event is complete. Throws ERR_SYCL if the work before it
   * failed.
   */
  synchronizeSync(): void {
    runtime().waitEventSync(this.handle);
  }
}
