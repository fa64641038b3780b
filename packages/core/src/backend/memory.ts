import type { ArrayDescriptor } from '../descriptor.js';
import { ArrayInterfaceError } from '../error.js';
import type { Backend } from './backend.js';
import { holdOwner, type Pending, releaseOwner } from './held-owners.js';
import type { Event, Queue } from './queue.js';

const brand = Symbol.for('array-interface.memory');

/** The last work of one queue on a memory. */
interface Use extends Pending {
  readonly queue: Queue;
  event: Event;
  /** How often another queue was made to wait for `event`. */
  waits: number;
}

/** So many waits for one event: look whether it was reached. */
const WAITS_LIMIT = 4;

/** More queues than this on one memory: look whether the work of some has ended. */
const USES_LIMIT = 4;

/** Where a memory begins and ends. */
export interface Allocation {
  readonly pointer: bigint;
  readonly byteLength: number;
}

/** What a memory is tied to; all may be absent. */
export interface MemoryTies {
  /** Whose memory it is, when borrowed. */
  readonly producer?: unknown;
  /** The queue on which a producer may have work, when it is to be ordered. */
  readonly producerQueue?: Queue | null;
  /** Where work goes when no queue is named; default: the producer's. */
  readonly homeQueue?: Queue | null;
}

/**
 * What stands behind an array and all its views: allocated by a backend or borrowed from a
 * producer. Knows the last work of every queue on it, and so keeps both halves of the stream rule
 * (CAI v3, "Synchronization") in `before` and `after`. Ends when its last array is disposed.
 */
export abstract class Memory {
  abstract readonly backend: Backend;
  /** The first byte, as the backend's queues use it. */
  abstract readonly pointer: bigint;
  /** The range that was proved to exist; null where the backend cannot know it, or was told to trust. */
  abstract readonly allocation: Allocation | null;
  /** The queue on which a producer may have work, when borrowed and ordered; null otherwise. */
  readonly producerQueue: Queue | null;
  /** Where work on this memory goes when no queue is named, or null: the backend's default. */
  readonly homeQueue: Queue | null;
  /** A producer that must live as long as work on its memory is pending; null for memory of ours. */
  readonly producer: unknown;
  #uses: Use[] = [];
  /** Queues that were named to consumers, who make them wait for work of their own. */
  readonly #exported: Queue[] = [];
  #holders = 0;
  #ended = false;

  constructor(ties: MemoryTies = {}) {
    this.producer = ties.producer ?? null;
    this.producerQueue = ties.producerQueue ?? null;
    this.homeQueue = ties.homeQueue ?? this.producerQueue;
    this.producerQueue?.retain();
    this.homeQueue?.retain();
  }

  /**
   * Gives the memory back once `pending` has been reached; called once. Must not block: a backend
   * that has to wait does so on a thread of its own. Consumers may have work on the `captured` queues,
   * where no point can be marked until they run again; who needs them longer retains them. @internal
   */
  protected abstract free(pending: readonly Event[], captured: readonly Queue[]): void;

  get ended(): boolean {
    return this.#ended;
  }

  /** Makes `queue` start its next work after everything pending on this memory. @internal */
  before(queue: Queue): void {
    const { producerQueue } = this;
    queue.assertRuns();
    producerQueue?.assertRuns();
    for (const exported of this.#exported) exported.assertRuns();
    if (producerQueue !== null && !producerQueue.isSame(queue)) queue.wait(producerQueue.record());
    this.#waitForOthers(queue);
    this.#waitForConsumers(queue);
  }

  /**
   * Notes that `queue` was given work on this memory, and makes the producer's queue wait for it, so
   * that nothing enqueued there from now on overtakes us. `event` is the point behind that work,
   * where it is marked already. @internal
   */
  after(queue: Queue, event: Event = queue.record()): void {
    const use = this.#useOf(queue) ?? this.#newUse(queue, event);
    use.event = event;
    use.waits = 0;
    if (this.producer !== null) holdOwner(this.producer, use);
    if (this.producerQueue !== null && !this.producerQueue.isSame(queue))
      this.producerQueue.wait(event);
  }

  /**
   * The producer's half: a queue on which a consumer finds all pending work, or `fallback` when
   * everything has ended. Makes that queue wait for the others, keeps it as long as this memory, and
   * lets our later work wait for what the consumer puts there. One that was named before is named
   * again, so that they do not become many. Does not block. @internal
   */
  exportQueue(fallback: Queue | null = null): Queue | null {
    this.#forgetEnded();
    const queues = [this.producerQueue, ...this.#uses.map((use) => use.queue), ...this.#exported];
    for (const queue of queues) queue?.assertRuns();
    const exported = this.producerQueue ?? this.#busyQueue() ?? fallback;
    if (exported === null) return null;
    for (const use of this.#uses) if (!use.queue.isSame(exported)) exported.wait(use.event);
    this.#waitForConsumers(exported);
    const known = [this.producerQueue, ...this.#exported];
    if (!known.some((queue) => queue?.isSame(exported))) {
      exported.retain();
      this.#exported.push(exported);
    }
    return exported;
  }

  /** A queue of the backend's own, for work on queues of others that may end before this memory. */
  protected ownQueue(): Queue | null {
    return null;
  }

  /** The array at the address that the backend's queues use for it. @internal */
  reached(array: ArrayDescriptor): ArrayDescriptor {
    return array;
  }

  /**
   * The array at the address where code of this process may read and write it at any time while no
   * work is pending, or null: nowhere. @internal
   */
  onHost(_array: ArrayDescriptor): ArrayDescriptor | null {
    return null;
  }

  /** Settles when all work of ours on this memory has ended; holds no thread. */
  async synchronize(): Promise<void> {
    const ends = await Promise.allSettled(this.#uses.map((use) => use.event.synchronize()));
    const failed = ends.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    this.#forgetEnded();
  }

  /** Keeps the memory for one more array or operation. @internal */
  retain(): void {
    this.#holders++;
  }

  /** Ends one interest; the last one gives the memory back. @internal */
  release(): void {
    if (--this.#holders > 0 || this.#ended) return;
    this.#ended = true;
    const captured = this.#exported.filter(isCaptured);
    const running = this.#exported.filter((queue) => !captured.includes(queue));
    const consumers = running.flatMap(pointIn);
    this.free([...this.#uses.map((use) => use.event), ...consumers], captured);
    for (const use of this.#uses.splice(0)) dropUse(use);
    for (const queue of this.#exported.splice(0)) queue.release();
    this.producerQueue?.release();
    this.homeQueue?.release();
  }

  /** Throws ERR_DISPOSED once the memory was given back. @internal */
  assertLive(path: string): void {
    if (!this.#ended) return;
    throw new ArrayInterfaceError(
      'ERR_DISPOSED',
      path,
      'expected memory that is still held, got an array whose memory was given back; ' +
        'dispose it after its last use',
    );
  }

  /** Throws ERR_OUT_OF_BOUNDS when the array leaves the memory that was proved to exist. @internal */
  assertHolds(array: ArrayDescriptor, path: string): void {
    const { allocation } = this;
    if (allocation === null) return;
    const [low, high] = array.extent;
    const isAtStart = array.pointer === allocation.pointer; // as most are, and cheaper than sums
    if (isAtStart && low >= 0 && high <= allocation.byteLength) return;
    if (array.size === 0) return;
    const start = array.pointer + BigInt(low);
    const end = array.pointer + BigInt(high);
    const limit = allocation.pointer + BigInt(allocation.byteLength);
    if (start >= allocation.pointer && end <= limit) return;
    throw new ArrayInterfaceError(
      'ERR_OUT_OF_BOUNDS',
      path,
      `expected elements within the allocation [0x${allocation.pointer.toString(16)}, ` +
        `0x${limit.toString(16)}), got [0x${start.toString(16)}, 0x${end.toString(16)}); ` +
        'check pointer, shape and strides of the producer',
    );
  }

  /** A consumer's work is known to the queue that it was told of, not to us. */
  #waitForConsumers(queue: Queue): void {
    for (const exported of this.#exported)
      if (!exported.isSame(queue)) queue.wait(exported.record());
  }

  /** Work that was waited for several times may have ended by now: then nobody waits for it again. */
  #waitForOthers(queue: Queue): void {
    if (this.#uses.length === 0) return;
    for (const use of [...this.#uses]) {
      if (use.queue.isSame(queue)) continue;
      queue.wait(use.event);
      if (++use.waits % WAITS_LIMIT !== 0 || !use.event.query()) continue;
      this.#uses.splice(this.#uses.indexOf(use), 1);
      dropUse(use);
    }
  }

  /** The queue that consumers are told of while work is pending: ours, or theirs that they were told of. */
  #busyQueue(): Queue | null {
    if (this.#uses.length === 0) return this.#exported.find((queue) => !queue.query()) ?? null;
    const kept = this.#uses.find(({ queue }) => queue.isKept);
    return this.#exported[0] ?? kept?.queue ?? this.ownQueue();
  }

  #useOf(queue: Queue): Use | null {
    for (const use of this.#uses) if (use.queue.isSame(queue)) return use;
    return null;
  }

  #newUse(queue: Queue, event: Event): Use {
    if (this.#uses.length >= USES_LIMIT) this.#forgetEnded();
    const use = { queue, event, waits: 0 };
    queue.retain();
    this.#uses.push(use);
    return use;
  }

  #forgetEnded(): void {
    const ended = this.#uses.filter((use) => use.event.query());
    this.#uses = this.#uses.filter((use) => !ended.includes(use));
    for (const use of ended) dropUse(use);
  }
}

/** The memory behind whatever a descriptor names as its owner, or null: nobody's we know. */
export function memoryOf(owner: unknown): Memory | null {
  if (typeof owner !== 'object' || owner === null) return null;
  return (owner as { readonly [brand]?: Memory })[brand] ?? null;
}

/** Lets objects of a class answer `memoryOf`, also when another copy of core asks. @internal */
export function answersWithMemory<T extends object>(
  prototype: T,
  memory: (object: T) => Memory,
): void {
  Object.defineProperty(prototype, brand, {
    get(this: T) {
      return memory(this);
    },
  });
}

answersWithMemory(Memory.prototype, (memory) => memory);

/** A point after all that the queue has, or none where its device failed: nothing runs there then. */
function pointIn(queue: Queue): Event[] {
  try {
    return [queue.record()];
  } catch {
    return [];
  }
}

/** A point in it would become part of what is captured. */
function isCaptured(queue: Queue): boolean {
  try {
    queue.assertRuns();
    return false;
  } catch (error) {
    return error instanceof ArrayInterfaceError && error.code === 'ERR_CAPTURE';
  }
}

function dropUse(use: Use): void {
  releaseOwner(use);
  use.queue.release();
}
