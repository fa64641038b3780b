import type { Allocation, Event, MemoryKind, Queue, Sync } from '@array-interface/core/backend';
import type { HoldHandle } from './addon.js';
import type { SyclBackend } from './backend.js';
import type { SyclContext } from './context.js';
import { endHold, SyclMemory } from './memory.js';
import type { SyclQueue } from './queue.js';

/** What was found out about a producer's memory. */
export interface Proof {
  readonly context: SyclContext;
  readonly memoryKind: MemoryKind;
  readonly pointer: bigint;
  /** The range that is known to exist, or null: trusted. */
  readonly allocation: Allocation | null;
  /** Our own interest, when the block is one of ours. */
  readonly hold: HoldHandle | null;
}

/**
 * A producer's memory, kept with its producer, its queue and, when we allocated it, the block
 * itself. SUAI v1: a queue in `syclobj` orders work; ours starts after a barrier submitted on it, and
 * its next command waits for ours.
 */
export class BorrowedMemory extends SyclMemory {
  readonly backend: SyclBackend;
  readonly context: SyclContext;
  readonly memoryKind: MemoryKind;
  readonly pointer: bigint;
  readonly allocation: Allocation | null;
  /** @internal */
  readonly hold: HoldHandle | null;
  readonly #blocking: Queue | null;

  constructor(
    backend: SyclBackend,
    proof: Proof,
    producer: unknown,
    queue: SyclQueue | null,
    sync: Sync,
  ) {
    super({ producer, producerQueue: sync === 'wait' ? queue : null, homeQueue: queue });
    this.backend = backend;
    this.context = proof.context;
    this.memoryKind = proof.memoryKind;
    this.pointer = proof.pointer;
    this.allocation = proof.allocation;
    this.hold = proof.hold;
    this.#blocking = sync === 'block' ? queue : null;
  }

  /** With `sync: 'block'` the calling thread waits for the producer's queue. @internal */
  override before(queue: Queue): void {
    this.#blocking?.synchronizeSync();
    super.before(queue);
  }

  /** With `sync: 'block'` the calling thread waits for our work. @internal */
  override after(queue: Queue, event?: Event): void {
    super.after(queue, event);
    if (this.#blocking !== null) queue.synchronizeSync();
  }

  protected free(pending: readonly Event[]): void {
    if (this.hold !== null) endHold(this.hold, pending);
  }
}
