import type { QueueEvent } from '@array-interface/core/backend';
import { BackendQueue } from '@array-interface/core/backend';

const never: QueueEvent = {
  query: () => false,
  synchronize: () => new Promise(() => {}),
  synchronizeSync() {},
};

/** A queue of no backend that is tested. */
export class OtherQueue extends BackendQueue {
  readonly device = 0;

  record(): QueueEvent {
    return never;
  }

  wait(): void {}

  protected destroy(): void {}
}
