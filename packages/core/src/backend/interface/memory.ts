import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { memoryBehind, memoryBrand } from '../../descriptor/memory-brand.js';
import type { ArrayInterfaceError } from '../../errors/error.js';
import { mismatch } from '../../errors/mismatch.js';
import type { BackendProtocol } from '../../protocols/protocol.js';
import { afterDeferred, assertNoneDeferred, waitingAt } from '../order/deferred-work.js';
import type { ArrayCapsule } from './capsule.js';
import type { Allocation, MemoryKind } from './device.js';
import { unmapAll } from './mapped-buffers.js';
import type { BackendQueue } from './queue.js';

/**
 * Names the backend of a memory. Memory has no other knowledge of it: `Backend` imports arrays, and
 * arrays import memory.
 */
export interface BackendIdentity {
  /** `cuda`, `sycl`, `host`, or the name of another backend. */
  readonly name: string;
  /** The interface that its arrays expose. Null: none. */
  readonly protocol: BackendProtocol;
}

/**
 * The memory behind an array and all its views, allocated by a backend or borrowed from a producer.
 * The array that allocated or borrowed it ends it; operations that take time retain it until they
 * have ended. A backend that enqueues work tracks the order of the work on it.
 */
export abstract class Memory {
  /** A `Backend`. `backendOf` returns it with that type. */
  abstract readonly backend: BackendIdentity;
  /** The address of the first byte, as its arrays count addresses. */
  abstract readonly pointer: bigint;
  /**
   * The range that was proved to exist. Null if the backend cannot determine it or was told to
   * trust the producer.
   */
  abstract readonly allocation: Allocation | null;
  /** Kind of memory. */
  abstract readonly memoryKind: MemoryKind;
  /**
   * Add this to its arrays' addresses to get those that queues use. 0n, except for mapped memory.
   */
  readonly shift: bigint = 0n;
  /**
   * Add this to get the addresses that this process uses while no work is pending. Null if it
   * cannot access the memory.
   */
  abstract readonly hostOffset: bigint | null;
  /** The queue for work that names no queue. Null: the backend's default queue. */
  readonly homeQueue: BackendQueue | null;
  #holders = 1;
  #ended = false;

  /**
   * Whether an object is a memory of this copy of core, and no proxy of one. Reads no property,
   * which takes longer: short copies ask it several times. @internal
   */
  static is(value: object): value is Memory {
    return #holders in value;
  }

  static {
    answersWithMemory(Memory.prototype, (memory) => memory);
  }

  constructor(homeQueue: BackendQueue | null = null) {
    this.homeQueue = homeQueue;
    homeQueue?.retain();
  }

  /** The JavaScript buffer that it wraps, or null. */
  get buffer(): ArrayBufferLike | null {
    return null;
  }

  /**
   * Settles once all of this library's enqueued work on this memory has ended. Does not block a
   * thread. Rejects if work failed.
   */
  protected abstract workEnded(): Promise<void>;

  /**
   * Records that other code has enqueued work on this memory to a queue. Later work is ordered
   * after it. Does not block.
   */
  abstract recordUse(queue: BackendQueue): void;

  /**
   * Releases the memory; called once. The memory is freed once work on it has ended and no borrower
   * needs it. Must not block until then.
   */
  protected abstract free(): void;

  /**
   * Returns a capsule of an array in this memory. The capsule keeps the memory alive until it, and
   * what was imported from it, has ended, even if this object ends earlier. Null if the backend
   * makes no capsules.
   */
  protected makeCapsule(_array: ArrayDescriptor): ArrayCapsule | null {
    return null;
  }

  /** Whether a dict names the same queue as dicts of this memory do, or none. */
  protected isOwnOrder({ stream, syclobj }: ArrayDescriptor): boolean {
    return stream === null && syclobj === null;
  }

  /** Throws if live memory is no longer accessible, such as that of a detached buffer. */
  protected checkReachable(_path: string): void {}

  /**
   * Settles once all of this library's work on this memory has ended, including work that waits for
   * kernels. Does not block a thread. Rejects if work failed.
   */
  synchronize(): Promise<void> {
    return afterDeferred(waitingAt(this), () => this.workEnded());
  }

  /** Whether its owner has been disposed. */
  get ended(): boolean {
    return this.#ended;
  }

  /** @internal */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    unmapAll(this);
    this.release();
  }

  /** @internal */
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

  /** Whether anything but its owner needs it: work that takes time, or a registration. @internal */
  get isRetained(): boolean {
    return this.#holders > 1;
  }

  /** @internal */
  backs(array: ArrayDescriptor): boolean {
    const { allocation } = this;
    return allocation !== null && isWithin(array, allocation) && this.isOwnOrder(array);
  }

  /** @internal */
  onDevice(array: ArrayDescriptor): ArrayDescriptor {
    if (this.shift === 0n) return array;
    return replace(array, { pointer: array.pointer + this.shift });
  }

  /** @internal */
  onHost(array: ArrayDescriptor): ArrayDescriptor | null {
    const { hostOffset } = this;
    if (hostOffset === null || hostOffset === 0n) return hostOffset === null ? null : array;
    return replace(array, { pointer: array.pointer + hostOffset });
  }

  /** @internal */
  exportCapsule(array: ArrayDescriptor): ArrayCapsule {
    this.assertEnqueued('array');
    const capsule = this.makeCapsule(array);
    if (capsule !== null) return capsule;
    throw mismatch(
      'ERR_NOT_ACCESSIBLE',
      'array',
      'an array of a backend that exports capsules',
      `one of the ${this.backend.name} backend`,
      'copy it to the host with host.array()',
    );
  }

  /** @internal */
  assertLive(path: string): void {
    this.#assertUsable(!this.#ended, path);
  }

  /** Throws ERR_DISPOSED if nobody retains it any more. @internal */
  assertHeld(path: string): void {
    this.#assertUsable(this.#holders > 0, path);
  }

  #assertUsable(isUsable: boolean, path: string): void {
    if (isUsable) {
      this.checkReachable(path);
      return;
    }
    throw mismatch(
      'ERR_DISPOSED',
      path,
      'a live array',
      'one whose owner was disposed',
      'dispose of it after the last use of it and its views',
    );
  }

  /** @internal */
  assertEnqueued(path: string): void {
    assertNoneDeferred(waitingAt(this), path);
  }

  /** @internal */
  assertHolds(array: ArrayDescriptor, path: string): void {
    const { allocation } = this;
    if (allocation !== null) assertWithin(array, allocation, path);
  }
}

/**
 * Throws ERR_OUT_OF_BOUNDS if elements lie outside an allocation. The error counts from the
 * allocation's first byte, so that its message contains no address.
 */
export function assertWithin(array: ArrayDescriptor, allocation: Allocation, path: string): void {
  if (isWithin(array, allocation)) return;
  const [low, high] = array.extent;
  const offset = array.pointer - allocation.pointer;
  throw mismatch(
    'ERR_OUT_OF_BOUNDS',
    path,
    `elements within the allocation of ${allocation.byteLength} bytes`,
    `bytes ${offset + BigInt(low)} to ${offset + BigInt(high)} of it`,
    "check the producer's pointer, shape and strides",
  );
}

function isWithin(array: ArrayDescriptor, { pointer, byteLength }: Allocation): boolean {
  const [low, high] = array.extent;
  const isAtStart = array.pointer === pointer; // like most arrays, and cheaper than sums
  if (isAtStart && low >= 0 && high <= byteLength) return true;
  if (array.size === 0) return true;
  const end = array.pointer + BigInt(high);
  return array.pointer + BigInt(low) >= pointer && end <= pointer + BigInt(byteLength);
}

/**
 * Returns the memory behind a descriptor's owner, or null if the owner is not a memory or array of
 * this library.
 */
export function memoryOf(owner: unknown): Memory | null {
  if (typeof owner !== 'object' || owner === null) return null;
  return Memory.is(owner) ? owner : (memoryBehind(owner) as Memory | null);
}

/**
 * Makes objects of a class answer `memoryOf`, including that of other installed copies of core.
 * @internal
 */
export function answersWithMemory<T extends object>(
  prototype: T,
  memory: (object: T) => Memory | null,
): void {
  Object.defineProperty(prototype, memoryBrand, {
    get(this: T) {
      return memory(this);
    },
  });
}

/** Throws ERR_NOT_ACCESSIBLE for memory of another backend. */
export function assertOwn(backend: BackendIdentity, memory: Memory, path: string): void {
  if (memory.backend !== backend) throw notOwn(backend, memory, path);
}

/** Returns the error for memory of another backend. */
export function notOwn(
  backend: BackendIdentity,
  { memoryKind, backend: other }: Memory,
  path: string,
): ArrayInterfaceError {
  return mismatch(
    'ERR_NOT_ACCESSIBLE',
    path,
    `memory of the ${backend.name} backend`,
    `an array of the ${other.name} backend, in ${memoryKind} memory`,
    `copy it with ${backend.name}.array()`,
  );
}
