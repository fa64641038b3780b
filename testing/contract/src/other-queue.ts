import { type Event, Queue } from '@array-interface/core/backend';

const never: Event = {
  query: () => false,
  synchronize: () => new Promise(() => {}),
  synchronizeSync() {},
};

/** A queue of no backend that is tested. */
export class OtherQueue extends Queue {
  readonly device = 0;

  record(): Event {
    return never;
  }

  wait(): void {}

  protected destroy(): void {}
}
