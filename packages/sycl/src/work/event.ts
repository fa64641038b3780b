import { DeviceEvent, type EventHandle } from '@array-interface/core/backend';
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
export class SyclEvent extends DeviceEvent {
  /** @internal */
  constructor(handle: EventHandle) {
    super(runtime(), handle);
  }

  /** The execution status of the event, as the runtime reports it. Does not block. */
  get status(): EventStatus {
    return STATUSES[runtime().eventStatus(this.native)] as EventStatus;
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
    const [submitted, started, ended] = runtime().eventTimes(this.native);
    return { submitted, started, ended };
  }
}
