import type { ArrayDescriptor } from '../descriptor.js';
import { ArrayInterfaceError } from '../error.js';
import { show } from '../show.js';
import type { BackendArray } from './array.js';
import type { CopyOptions } from './backend.js';
import type { End, Guest } from './end.js';
import { inLanes } from './lanes.js';
import { type Memory, memoryOf } from './memory.js';
import { onePass } from './one-pass.js';
import { pipeline } from './pipeline.js';
import type { Queue } from './queue.js';
import { shareBytes } from './share-bytes.js';
import { Stager } from './stager.js';
import { straighten } from './straighten.js';
import { Tally } from './tally.js';
import { throughBuffers } from './through-buffers.js';
import { inTurn } from './turns.js';
import type { Way } from './way.js';

/**
 * Copies between memories that no queue of one backend has: in one pass where a queue of one side
 * reaches the other's addresses, else through a few chunks of memory that both reach.
 */
export abstract class Crosser<A extends BackendArray> extends Stager<A> {
  /** Whether work is done when it is enqueued, by the thread that enqueues it. */
  protected readonly worksAtOnce: boolean = false;

  /**
   * Memory of another backend that `queue` reaches by its address, as memory of ours: for copies that
   * begin when the other's work has ended, and end before it goes on. Null where it is not reached.
   */
  protected guest(_array: ArrayDescriptor, _memory: Memory, _queue: Queue): Guest | null {
    return null;
  }

  /**
   * Whether no queue reaches both, or a queue does not reach a memory. Only a backend with several
   * contexts has such.
   */
  protected areApart(_one: Memory | Queue, _other: Memory): boolean {
    return false;
  }

  /**
   * Between two memories: null where the copy is enqueued, else the promise of one that crosses, which
   * tells its own progress.
   */
  protected moveOrCross(
    to: ArrayDescriptor,
    from: ArrayDescriptor,
    options: CopyOptions,
  ): Promise<void> | null {
    const target = this.#holderOf(to).hold(to, 'destination');
    try {
      const origin = this.#holderOf(from).hold(from, 'source');
      try {
        const isOurs = this.#isBackendOf(target) && this.#isBackendOf(origin);
        if (!isOurs || this.areApart(target, origin)) {
          return this.#cross(to, target, from, origin, options);
        }
        this.move(to, target, from, origin, options);
        return null;
      } finally {
        origin.release();
      }
    } finally {
      target.release();
    }
  }

  #isBackendOf(memory: Memory): boolean {
    const backend: unknown = memory.backend;
    return backend === this;
  }

  /** Who proves and keeps an array's memory: its own backend. */
  #holderOf(array: ArrayDescriptor): Crosser<BackendArray> {
    const memory = memoryOf(array.owner);
    if (memory !== null && this.#isBackendOf(memory)) return this;
    return (memory && crosserOf(memory)) ?? this;
  }

  /** Copies between two memories, which it keeps, after earlier such copies; has ended when it settles. */
  async #cross(
    to: ArrayDescriptor,
    target: Memory,
    from: ArrayDescriptor,
    origin: Memory,
    options: CopyOptions,
  ): Promise<void> {
    const { signal, onProgress, chunkBytes, queue } = options;
    checkChunk(chunkBytes);
    const tally = new Tally(to.nbytes, onProgress);
    const kept = [target, origin, ...(queue ? [queue] : [])]; // their owners may dispose them on the way
    for (const one of kept) one.retain();
    try {
      await inTurn([target, origin], signal, async () => {
        const [near, far] = straighten(to.with({ owner: target }), from.with({ owner: origin }));
        const way = this.#wayOf(near, target, far, origin, options);
        try {
          if (way.begin) await way.begin(signal);
          await inLanes(way.pairs, way.lanes, tally, signal);
        } finally {
          way.end();
        }
      });
    } catch (error) {
      throw tally.interrupted(error, signal);
    } finally {
      for (const one of kept) one.release();
    }
  }

  #wayOf(
    to: ArrayDescriptor,
    target: Memory,
    from: ArrayDescriptor,
    origin: Memory,
    options: CopyOptions,
  ): Way {
    const { queue, casting } = options;
    // the same bytes in two backends: no part may be written before another was read
    const isWhole = shareBytes(addressOf(to, target), addressOf(from, origin));
    const chunkBytes = isWhole ? Number.MAX_SAFE_INTEGER : options.chunkBytes;
    const queueFor = (memory: Memory) =>
      queue !== undefined && crosserOf(memory) === this && !this.areApart(queue, memory)
        ? queue
        : null;
    const near = endOf(to, target, 'destination');
    const far = endOf(from, origin, 'source');
    const way = near && far && (onePass(near, far, chunkBytes) ?? pipeline(near, far, chunkBytes));
    if (way !== null) return way;
    return throughBuffers(
      to,
      from,
      (memory) => {
        const own = queueFor(memory);
        return { ...(casting && { casting }), ...(own && { queue: own }) };
      },
      chunkBytes,
    );

    function endOf(array: ArrayDescriptor, memory: Memory, path: string): End | null {
      const mover = crosserOf(memory);
      if (mover === null) return null;
      const work = queueFor(memory) ?? memory.homeQueue ?? mover.defaultQueue(memory);
      return {
        array,
        memory,
        queue: work,
        worksAtOnce: mover.worksAtOnce,
        check(part) {
          memory.assertLive(path);
          if (part !== undefined) memory.assertHolds(part, path);
        },
        stage: (byteLength) => mover.stage(byteLength, work),
        guest: (other, its) => mover.guest(other, its, work),
        move: (into, its, outOf, ours) => mover.move(into, its, outOf, ours, { queue: work }),
      };
    }
  }
}

/** The backend of a memory as one that this copy of core knows from the inside. */
function crosserOf(memory: Memory): Crosser<BackendArray> | null {
  const backend: unknown = memory.backend;
  return backend instanceof Crosser ? backend : null;
}

/** The array where this process finds it, or else where its queues do. */
function addressOf(array: ArrayDescriptor, memory: Memory): ArrayDescriptor {
  return memory.onHost(array) ?? memory.reached(array);
}

function checkChunk(chunkBytes: number | undefined): void {
  if (chunkBytes === undefined || (Number.isSafeInteger(chunkBytes) && chunkBytes > 0)) return;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'chunkBytes',
    `expected a positive number of bytes, got ${show(chunkBytes)}; leave it out for the default`,
  );
}
