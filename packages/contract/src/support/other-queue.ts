import type { QueueEvent } from '@array-interface/core/backend';
import { BackendQueue } from '@array-interface/core/backend';

const never: QueueEvent = {
  query: () => false,
  synchronize: () => new Promise(() => {}),
  synchronizeSync() {},
};

/** A queue of a backend that is not under test. */
export class OtherQueue extends BackendQueue {
  readonly device = 0;
  readonly handle = 0n;

  record(): QueueEvent {
    return never;
  }

  wait(): void {}

  protected destroy(): void {}
}
