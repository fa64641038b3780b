import { ArrayInterfaceError, type WaitOptions } from '@array-interface/core';
import {
  BackendQueue,
  type Checks,
  checkDeviceIndex,
  type QueueEvent,
  readSignal,
  throwIfAborted,
  unchecked,
} from '@array-interface/core/backend';

/** More threads than any machine has processors. */
const MOST_THREADS = 1024;

/** How the work of a queue is done. */
export interface HostQueueOptions {
  /** The only device is 0. */
  readonly device?: number;
  /** Most threads that a copy uses, with the calling thread: 1 to 1024, default 1. */
  readonly threads?: number;
}

/** How `createQueue` reads its options. */
export const QUEUE_OPTIONS: Checks<HostQueueOptions> = {
  device: checkDeviceIndex,
  threads: unchecked,
};

const reached: QueueEvent = {
  query: () => true,
  synchronize: async (options: WaitOptions = {}) => {
    throwIfAborted(readSignal(options));
  },
  synchronizeSync() {},
};

/** The order of work on the host: everything runs at once, so every event is reached. */
export class HostQueue extends BackendQueue {
  /** 0, the only one. */
  readonly device = 0;
  /** Most threads that a copy uses, with the calling thread. */
  readonly threads: number;

  /** Throws ERR_ARGUMENT. @internal `host.createQueue()` makes queues. */
  constructor(threads = 1) {
    super();
    this.threads = checkThreads(threads);
  }

  /** A point that is reached already. */
  record(): QueueEvent {
    return reached;
  }

  /** Blocks until the point is reached, as one of the host is already. Throws ERR_ARGUMENT. */
  wait(event: QueueEvent): void {
    if (typeof event?.synchronizeSync !== 'function') {
      throw new ArrayInterfaceError(
        'ERR_ARGUMENT',
        'event',
        'expected an event of a queue, got none; a queue records one with record()',
      );
    }
    event.synchronizeSync();
  }

  /** There is nothing to give back. */
  protected destroy(): void {}
}

function checkThreads(threads: number): number {
  if (Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS) return threads;
  const got = typeof threads === 'number' ? threads : `a ${typeof threads}`;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'threads',
    `expected 1 to ${MOST_THREADS} threads, a whole number, got ${got}; ` +
      'give os.availableParallelism() for one on each processor',
  );
}

/** Throws ERR_ARGUMENT for a queue of another backend. */
export function ownQueue(queue: BackendQueue | undefined): HostQueue | null {
  if (queue === undefined) return null;
  if (queue instanceof HostQueue) return queue;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'queue',
    'expected a queue of the host backend, got one of another; copy with the backend of the queue',
  );
}

/** Throws ERR_ARGUMENT for another device than the host's only one. */
export function checkDevice(device = 0): void {
  if (device === 0) return;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'device',
    `expected device 0, the only one of the host backend, got ${String(device)}`,
  );
}
