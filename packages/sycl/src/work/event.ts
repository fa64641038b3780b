import type { WaitOptions } from '@array-interface/core';
import type { QueueEvent } from '@array-interface/core/backend';
import { abortable, readSignal } from '@array-interface/core/backend';
import type { EventHandle } from '../addon.js';
import { runtime } from '../driver/runtime.js';

/** How far an event is, as the runtime reports it. */
export type EventStatus = 'unknown' | 'submitted' | 'running' | 'complete';

/** Nanoseconds of a device's clock. */
export interface EventTimes {
  /** When it was submitted. */
  readonly submitted: bigint;
  /** When its work began. */
  readonly started: bigint;
  /** When its work ended. */
  readonly ended: bigint;
}

const STATUSES: readonly EventStatus[] = ['unknown', 'submitted', 'running', 'complete'];

/** A point in a SYCL queue's work. */
export class SyclEvent implements QueueEvent {
  /** @internal */
  readonly handle: EventHandle;

  constructor(handle: EventHandle) {
    this.handle = handle;
  }

  /** How far the work before the point is, as the runtime says. Does not wait. */
  get status(): EventStatus {
    return STATUSES[runtime().eventStatus(this.handle)] as EventStatus;
  }

  /**
   * When the device received the point, began it and reached it, in nanoseconds of its own clock.
   * The work between two points took the difference of their `ended`. Throws ERR_ARGUMENT before
   * the point is reached, and for a queue made without `profiling`.
   */
  get times(): EventTimes {
    const [submitted, started, ended] = runtime().eventTimes(this.handle);
    return { submitted, started, ended };
  }

  /** Whether the point is reached. Does not wait. */
  query(): boolean {
    return runtime().eventQuery(this.handle);
  }

  /** Settles when the point is reached. Holds no thread. */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    await abortable(runtime().eventWait(this.handle), signal);
  }

  /** Blocks the calling thread until the point is reached. */
  synchronizeSync(): void {
    runtime().eventWaitSync(this.handle);
  }
}
