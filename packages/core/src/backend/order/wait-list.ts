import { type ByteRange, LastAccesses } from './last-accesses.js';

/** What a line knows of a memory. */
export interface PlacedMemory {
  readonly backend: object;
  readonly allocation: { readonly pointer: bigint; readonly byteLength: number } | null;
  readonly shift: bigint;
}

/** What a line knows of a queue: several objects may stand for one native queue. */
export interface NativeQueue {
  isSame(other: NativeQueue): boolean;
}

/** What work touches. */
export interface Accesses {
  readonly queues: readonly NativeQueue[];
  /** Whether it comes after what its queues were asked for before, whatever arrays that is about. */
  readonly isInQueueOrder: boolean;
  readonly uses: readonly { readonly memory: PlacedMemory; readonly writes: boolean }[];
}

/**
 * Work that waits, in the order in which it was asked for. Memory is known by its addresses, since
 * loans have other objects for the same bytes.
 */
export class WaitList<W> {
  /** All that is in the line. */
  readonly works: Set<W> = new Set();
  readonly #accesses = new Map<object, LastAccesses<W>>();
  /** Those on a queue after whom nobody follows all that is on it. */
  readonly #queues = new Map<NativeQueue, Set<W>>();

  /** Those whom new work has to follow; what came before those they follow themselves. */
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

  /** Those after whom nobody touches a memory. */
  lastAt(memory: PlacedMemory): readonly W[] {
    return [...new Set(this.#at(memory, true))];
  }

  /** Those after whom all on a queue have had their turns. */
  lastOn(queue: NativeQueue): readonly W[] {
    return [...(this.#queues.get(this.#known(queue)) ?? [])];
  }

  /** Puts work at the end. */
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

  /** Takes work out that waits no more. */
  remove(work: W, { uses }: Accesses): void {
    this.works.delete(work);
    for (const [queue, works] of this.#queues) {
      if (works.delete(work) && works.size === 0) this.#queues.delete(queue);
    }
    for (const { memory, writes } of uses) {
      this.#accesses.get(memory.backend)?.remove(work, rangeOf(memory, writes));
    }
  }

  *#at(memory: PlacedMemory, writes: boolean): Iterable<W> {
    yield* this.#accesses.get(memory.backend)?.find(rangeOf(memory, writes)) ?? [];
  }

  /** The object by which a native queue is known here. */
  #known(queue: NativeQueue): NativeQueue {
    if (this.#queues.has(queue)) return queue;
    return [...this.#queues.keys()].find((known) => known.isSame(queue)) ?? queue;
  }
}

/** The bytes as queues see them; every address where nobody has proved which are its own. */
function rangeOf({ allocation, shift }: PlacedMemory, writes: boolean): ByteRange {
  if (allocation === null) return { start: 0n, end: 1n << 64n, writes };
  const start = allocation.pointer + shift;
  return { start, end: start + BigInt(allocation.byteLength), writes };
}
