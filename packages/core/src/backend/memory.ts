import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { ArrayInterfaceError } from '../errors/error.js';
import type { Protocol } from '../protocols/protocol.js';
import type { Allocation, MemoryKind } from './device.js';
import type { Queue } from './queue.js';

const brand = Symbol.for('array-interface.memory');

/** Whose memory it is. The whole `Backend` stands above its arrays, which stand above memory. */
export interface BackendIdentity {
  /** `cuda`, `sycl`, `host`. */
  readonly name: string;
  readonly protocol: Protocol;
}

/**
 * What stands behind an array and all its views: allocated by a backend or borrowed from a producer.
 * The array that allocated or borrowed it ends it; operations that take time keep it until they are
 * done. The order of work on it is kept where work is enqueued, by the backend.
 */
export abstract class Memory {
  /** A `Backend`; see `backendOf`. */
  abstract readonly backend: BackendIdentity;
  /** The first byte, as the addresses of its arrays count. */
  abstract readonly pointer: bigint;
  /** The range that was proved to exist; null where the backend cannot know it, or was told to trust. */
  abstract readonly allocation: Allocation | null;
  abstract readonly memoryKind: MemoryKind;
  /** What to add to addresses of its arrays for those that queues use; 0n but for mapped memory. */
  readonly shift: bigint = 0n;
  /** The same for those that code of this process uses while no work is pending; null: it reaches none. */
  abstract readonly hostShift: bigint | null;
  /** Where work on this memory goes when no queue is named, or null: the backend's default. */
  readonly homeQueue: Queue | null;
  #holders = 1;
  #ended = false;

  constructor(homeQueue: Queue | null = null) {
    this.homeQueue = homeQueue;
    homeQueue?.retain();
  }

  /** Settles when all work of ours on this memory has ended; holds no thread. Rejects where it failed. */
  abstract synchronize(): Promise<void>;

  /**
   * Lets go of the memory; called once. It is given back when work on it has ended and no loan needs it:
   * must not wait for that. @internal
   */
  protected abstract free(): void;

  get ended(): boolean {
    return this.#ended;
  }

  /** The owner's end: nothing new begins, and what has begun keeps the memory. Never waits. @internal */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.release();
  }

  /** Keeps the memory for an operation that takes time. @internal */
  retain(): void {
    this.#holders++;
  }

  /** @internal */
  release(): void {
    if (--this.#holders > 0) return;
    this.#ended = true;
    this.free();
    this.homeQueue?.release();
  }

  /** The array at the address that the backend's queues use for it. @internal */
  reached(array: ArrayDescriptor): ArrayDescriptor {
    if (this.shift === 0n) return array;
    return array.with({ pointer: array.pointer + this.shift });
  }

  /**
   * The array at the address where code of this process may read and write it at any time while no
   * work is pending, or null: nowhere. @internal
   */
  onHost(array: ArrayDescriptor): ArrayDescriptor | null {
    const { hostShift } = this;
    if (hostShift === null || hostShift === 0n) return hostShift === null ? null : array;
    return array.with({ pointer: array.pointer + hostShift });
  }

  /** Throws ERR_DISPOSED once the memory was ended. @internal */
  assertLive(path: string): void {
    if (!this.#ended) return;
    throw new ArrayInterfaceError(
      'ERR_DISPOSED',
      path,
      'expected a live array, got one whose owner was disposed; dispose it after the last use of ' +
        'it and its views',
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
}

/** The memory behind whatever a descriptor names as its owner, or null: nobody's we know. */
export function memoryOf(owner: unknown): Memory | null {
  if (typeof owner !== 'object' || owner === null) return null;
  try {
    return (owner as { readonly [brand]?: Memory })[brand] ?? null;
  } catch {
    return null; // a proxy that throws
  }
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
