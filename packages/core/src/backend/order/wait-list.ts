import { type ByteRange, LastAccesses } from './last-accesses.js';

/** What a list stores about a memory. */
export interface TrackedMemory {
  readonly backend: object;
  readonly allocation: { readonly pointer: bigint; readonly byteLength: number } | null;
  readonly shift: bigint;
}

/** What a list stores about a queue. Several objects may refer to one native queue. */
export interface NativeQueue {
  isSame(other: NativeQueue): boolean;
}

/** What work accesses. */
export interface Accesses {
  readonly queues: readonly NativeQueue[];
  /**
   * Whether it is ordered after everything requested earlier on its queues, whatever arrays that
   * uses.
   */
  readonly isInQueueOrder: boolean;
  readonly uses: readonly { readonly memory: TrackedMemory; readonly writes: boolean }[];
}

/**
 * Deferred work, in the order in which it was requested. Memory is identified by its addresses,
 * since borrowers have other objects for the same bytes.
 */
export class WaitList<W> {
  /** All work in the list. */
  readonly works: Set<W> = new Set();
  readonly #accesses = new Map<object, LastAccesses<W>>();
  /** The last work on each queue: nothing else in the list is ordered after all of it. */
  readonly #queues = new Map<NativeQueue, Set<W>>();

  /** Returns the work that new work must follow. That work follows what came before it. */
  earlierThan({ queues, isInQueueOrder, uses }: Accesses): Set<W> {
    const earlier = new Set<W>();
    for (const { memory, writes } of uses) {
      for (const work of this.#at(memory, writes)) earlier.add(work);
    }
    for (const queue of isInQueueOrder ? queues : []) {
      for (const work of this.lastOn(queue)) earlier.add(work);
    }
    return earlier;
  }

  /** Returns the last work that accesses a memory. */
  lastAt(memory: TrackedMemory): readonly W[] {
    return [...new Set(this.#at(memory, true))];
  }

  /** Returns the work after which all work on a queue has run. */
  lastOn(queue: NativeQueue): readonly W[] {
    return [...(this.#queues.get(this.#known(queue)) ?? [])];
  }

  /** Adds work at the end. */
  add(work: W, { queues, isInQueueOrder, uses }: Accesses): void {
    this.works.add(work);
    for (const queue of queues) {
      const known = this.#known(queue);
      const works = isInQueueOrder ? undefined : this.#queues.get(known);
      this.#queues.set(known, works?.add(work) ?? new Set([work]));
    }
    for (const { memory, writes } of uses) {
      const accesses = this.#accesses.get(memory.backend) ?? new LastAccesses<W>();
      this.#accesses.set(memory.backend, accesses);
      accesses.add(work, rangeOf(memory, writes));
    }
  }

  /** Removes work that waits no more. */
  remove(work: W, { uses }: Accesses): void {
    this.works.delete(work);
    for (const [queue, works] of this.#queues) {
      if (works.delete(work) && works.size === 0) this.#queues.delete(queue);
    }
    for (const { memory, writes } of uses) {
      this.#accesses.get(memory.backend)?.remove(work, rangeOf(memory, writes));
    }
  }

  *#at(memory: TrackedMemory, writes: boolean): Iterable<W> {
    yield* this.#accesses.get(memory.backend)?.find(rangeOf(memory, writes)) ?? [];
  }

  /** Returns the object that identifies a native queue here. */
  #known(queue: NativeQueue): NativeQueue {
    if (this.#queues.has(queue)) return queue;
    return [...this.#queues.keys()].find((known) => known.isSame(queue)) ?? queue;
  }
}

/** Returns the bytes as queues address them; every address if the memory's range was not proved. */
export function rangeOf({ allocation, shift }: TrackedMemory, writes: boolean): ByteRange {
  if (allocation === null) return { start: 0n, end: 1n << 64n, writes };
  const start = allocation.pointer + shift;
  return { start, end: start + BigInt(allocation.byteLength), writes };
}
