import { ArrayInterfaceError, type WaitOptions } from '@array-interface/core';
import {
  abortable,
  BackendQueue,
  type Checks,
  checkDeviceIndex,
  internals,
  isInstance,
  notAnEvent,
  type QueueEvent,
  readSignal,
  throwIfAborted,
  unchecked,
} from '@array-interface/core/backend';
import { assertBefore } from './dependencies.js';
import { ended, isIdle, pendingOn } from './pending-work.js';
import type { Work } from './work.js';

/** More threads than any machine has processors. */
const MOST_THREADS = 1024;

/** Options of `host.createQueue`. */
export interface HostQueueOptions {
  /** The device: 0 is the only one. */
  readonly device?: number;
  /**
   * Maximum number of threads for a copy, including the calling thread, or for a kernel in C: 1 to
   * 1024. Default: 1.
   */
  readonly threads?: number;
}

/** How `createQueue` reads its options. */
export const QUEUE_OPTIONS: Checks<HostQueueOptions> = {
  device: checkDeviceIndex,
  threads: unchecked,
};

/** An event that completes after some work. */
class HostEvent implements QueueEvent {
  readonly #works: readonly Work[];

  constructor(works: readonly Work[]) {
    this.#works = works;
  }

  /** The part of its work that has not ended. @internal */
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

  /** Blocks until the work has ended. Throws ERR_PENDING if the work waits for the event loop. */
  synchronizeSync(): void {
    for (const work of this.#works) work.finish();
  }
}

const reached: QueueEvent = new HostEvent([]);

/**
 * A queue of the host. Work runs synchronously, except for kernels in C, which run on their own
 * threads, and for work that depends on them. Work may overlap, even on one queue, unless some of
 * it writes the same memory.
 */
export class HostQueue extends BackendQueue {
  /** The device, always 0. */
  readonly device = 0;
  /** Always 0n: there is no native queue. */
  readonly handle = 0n;
  /** Maximum number of threads for a copy, including the calling thread, or for a kernel in C. */
  readonly threads: number;
  readonly #gates = new Set<Work>();

  /** Throws ERR_ARGUMENT. @internal Use `host.createQueue()`. */
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

  /**
   * Records an event that completes once all of the queue's work so far has ended. Does not block.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using queue = host.createQueue({ threads: 4 });
   * const event = queue.record();
   * await event.synchronize();
   * ```
   */
  record(): QueueEvent {
    return isIdle() ? reached : new HostEvent(pendingOn(this));
  }

  /**
   * Makes all later work of this queue wait for an event of the host. Does not block. Throws
   * ERR_ARGUMENT for an event of another backend, and ERR_PENDING within `use` if the event's work
   * runs after that use.
   */
  wait(event: QueueEvent): void {
    if (!isInstance(event, HostEvent)) throw notAnEvent('an event of a host queue', event);
    const works = event.pending;
    assertBefore(works);
    for (const work of works) this.#gates.add(work);
  }

  /** There is no native queue to destroy. */
  protected destroy(): void {}
}

function checkThreads(threads: number): number {
  if (Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS) return threads;
  const got = typeof threads === 'number' ? threads : `a ${typeof threads}`;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'threads',
    `expected a whole number of threads from 1 to ${MOST_THREADS}, got ${got}; ` +
      'pass os.availableParallelism() for one on each processor',
  );
}

/**
 * Returns the queue, or null if it is undefined. Throws ERR_ARGUMENT for another backend's queue.
 */
export function ownQueue(queue: BackendQueue | undefined): HostQueue | null {
  return queue === undefined ? null : checkOwn(queue);
}

/** Throws ERR_ARGUMENT if this is no queue of the host, and ERR_DISPOSED if it was disposed. */
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
    "expected a queue of the host backend, got another backend's; create one with host.createQueue()",
  );
}

/** Throws ERR_ARGUMENT for any device but 0. */
export function checkDevice(device = 0): void {
  if (device === 0) return;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'device',
    `expected device 0, the only one of the host backend, got ${String(device)}`,
  );
}
