import { ArrayInterfaceError, type WaitOptions } from '@array-interface/core';
import {
  abortable,
  BackendQueue,
  type Checks,
  checkDeviceIndex,
  internals,
  type QueueEvent,
  readSignal,
  throwIfAborted,
  unchecked,
} from '@array-interface/core/backend';
import { ended, isIdle, pendingOn } from './pending-work.js';
import { assertBefore } from './place.js';
import type { Work } from './work.js';

/** More threads than any machine has processors. */
const MOST_THREADS = 1024;

/** How the work of a queue is done. */
export interface HostQueueOptions {
  /** The only device is 0. */
  readonly device?: number;
  /**
   * Most threads that a copy uses, with the calling thread, and that a kernel of C uses: 1 to 1024,
   * default 1.
   */
  readonly threads?: number;
}

/** How `createQueue` reads its options. */
export const QUEUE_OPTIONS: Checks<HostQueueOptions> = {
  device: checkDeviceIndex,
  threads: unchecked,
};

/** The point after some work. */
class HostEvent implements QueueEvent {
  readonly #works: readonly Work[];

  constructor(works: readonly Work[]) {
    this.#works = works;
  }

  /** What has not ended of it. @internal */
  get pending(): readonly Work[] {
    return this.#works.filter(({ hasEnded }) => !hasEnded);
  }

  query(): boolean {
    return this.pending.length === 0;
  }

  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    throwIfAborted(signal);
    await abortable(ended(this.#works), signal);
  }

  /** Throws ERR_PENDING where work waits for the event loop. */
  synchronizeSync(): void {
    for (const work of this.#works) work.finish();
  }
}

const reached: QueueEvent = new HostEvent([]);

/**
 * Work on the host. It is done at once, but for kernels of C, which run on threads, and what has to
 * come after those. Work on memory that none of it writes may overlap, also on one queue.
 */
export class HostQueue extends BackendQueue {
  /** 0, the only one. */
  readonly device = 0;
  /** 0n: there is no native queue. */
  readonly handle = 0n;
  /** Most threads that a copy uses, with the calling thread, and that a kernel of C uses. */
  readonly threads: number;
  readonly #gates = new Set<Work>();

  /** Throws ERR_ARGUMENT. @internal `host.createQueue()` makes queues. */
  constructor(threads = 1) {
    super();
    this.threads = checkThreads(threads);
  }

  /** The pending work that later work of this queue waits for. @internal */
  get gates(): ReadonlySet<Work> {
    for (const work of this.#gates) {
      if (work.hasEnded) this.#gates.delete(work);
    }
    return this.#gates;
  }

  /** The point after all work so far. */
  record(): QueueEvent {
    return isIdle() ? reached : new HostEvent(pendingOn(this));
  }

  /**
   * Work from now on waits for an event of the host. Blocks for one of another backend. Throws
   * ERR_ARGUMENT, and ERR_PENDING in a function of `use` for an event of what comes after it.
   */
  wait(event: QueueEvent): void {
    if (event instanceof HostEvent) {
      const works = event.pending;
      assertBefore(works);
      for (const work of works) this.#gates.add(work);
      return;
    }
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
  return queue === undefined ? null : checkOwn(queue);
}

/** Throws ERR_ARGUMENT for what is no queue of the host, ERR_DISPOSED for one that was disposed. */
export function checkQueue(queue: BackendQueue): HostQueue {
  const own = checkOwn(queue);
  internals(own).assertLive();
  return own;
}

function checkOwn(queue: BackendQueue): HostQueue {
  if (queue instanceof HostQueue) return queue;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'queue',
    'expected a queue of the host backend, got another; use the backend of the queue',
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
