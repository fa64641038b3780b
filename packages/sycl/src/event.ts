import { abortable, type Event, type WaitOptions } from '@array-interface/core/backend';
import type { EventHandle } from './addon.js';
import { runtime } from './runtime.js';

/** A point in a SYCL queue's work. */
export class SyclEvent implements Event {
  /** @internal */
  readonly handle: EventHandle;

  constructor(handle: EventHandle) {
    this.handle = handle;
  }

  query(): boolean {
    return runtime().eventQuery(this.handle);
  }

  synchronize(options: WaitOptions = {}): Promise<void> {
    return abortable(runtime().eventWait(this.handle), options.signal);
  }

  synchronizeSync(): void {
    runtime().eventWaitSync(this.handle);
  }
}
