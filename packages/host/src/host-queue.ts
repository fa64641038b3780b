import { type Event, Queue, type WaitOptions } from '@array-interface/core/backend';

const reached: Event = {
  query: () => true,
  synchronize: async (options: WaitOptions = {}) => options.signal?.throwIfAborted(),
  synchronizeSync() {},
};

/** The order of work on the host: everything runs at once, so every event is reached. */
export class HostQueue extends Queue {
  readonly device = 0;

  record(): Event {
    return reached;
  }

  wait(event: Event): void {
    event.synchronizeSync();
  }

  isSame(other: Queue): boolean {
    return other instanceof HostQueue;
  }

  protected destroy(): void {}
}
