import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import type { Check } from '../../input/options.js';
import type { Kernel } from '../../kernel/kernel.js';
import type { Signature } from '../../kernel/signature.js';
import type { CopyPlan } from '../../plan/plan-copy.js';
import type { BackendArray } from './array.js';
import type { BufferMapping } from './mapped-buffers.js';
import type { BackendIdentity, Memory } from './memory.js';
import type { BorrowOptions, EmptyOptions } from './options.js';
import type { BackendQueue } from './queue.js';

/** Memory that both the backend's queues and this process can access. Holds one dense array. */
export interface Staging {
  /** The memory that both sides can access. */
  readonly memory: Memory;
  /** The address that the backend's queues use. */
  readonly pointer: bigint;
  /** Copies JavaScript memory in, synchronously. `plan` counts from the first byte of each side. */
  read(plan: CopyPlan, bytes: Uint8Array): void;
  /**
   * Copies out into JavaScript memory, synchronously. `plan` counts from the first byte of each
   * side.
   */
  write(plan: CopyPlan, bytes: Uint8Array): void;
}

/**
 * How a queue can access a memory. `kernels`: its kernels read and write it. `copies`: only the
 * runtime's own copy of contiguous bytes can. `no`: nothing can.
 */
export type Reach = 'kernels' | 'copies' | 'no';

/**
 * Memory of another backend as memory of this backend, and its array at the addresses that this
 * backend's queues use.
 */
export interface ImportedMemory {
  /** Memory of the backend that imported it. Keeps the memory that it represents alive. */
  readonly memory: Memory;
  /** The same elements, at the address that this backend's queues use. */
  readonly array: ArrayDescriptor;
}

/** The options that a backend accepts besides core's, each with its check. */
export interface OwnOptions {
  /** Options of a copy. */
  readonly copy?: Readonly<Record<string, Check>>;
  /** Options of new memory. */
  readonly empty?: Readonly<Record<string, Check>>;
  /** Options of borrowed memory. */
  readonly borrow?: Readonly<Record<string, Check>>;
  /**
   * Names of the options of new memory that choose its place, as `queue` and `device` do. If one is
   * given, core adds no other.
   */
  readonly places?: readonly string[];
}

/** How work uses a memory. */
export interface Use<M extends Memory = Memory> {
  /** Memory of the backend. */
  readonly memory: M;
  /** Whether it writes the memory. It reads in any case. */
  readonly writes: boolean;
}

/** The most that one launch can do. Core splits larger ranges. */
export interface LaunchLimits {
  /** Maximum number of items. */
  readonly items: number;
  /** Maximum number of groups along each axis, the fastest axis first. */
  readonly groups: readonly number[];
}

/** The limits of a kernel's group on a device. Larger groups are rejected before anything runs. */
export interface GroupLimits {
  /** Maximum number of items. */
  readonly items: number;
  /** Maximum number of items along each axis, the fastest axis first. */
  readonly axes: readonly number[];
  /** Maximum bytes of local memory that its parameters request. */
  readonly localBytes: number;
  /**
   * Items along 1 to 3 axes that the code says each group has, the last axis the fastest. Absent:
   * any.
   */
  readonly required?: readonly number[] | undefined;
}

/** One launch of a kernel. */
export interface Launch<M extends Memory = Memory> {
  /** First index along each axis. */
  readonly begin: readonly number[];
  /** Items along each axis; the last axis is the fastest. */
  readonly range: readonly number[];
  /** Items of a group along each axis. */
  readonly group: readonly number[];
  /**
   * What the code takes, by `Signature.types`: 8 bytes for each value, and for a struct its own,
   * rounded up to a multiple of 8. The buffer is reused later.
   */
  readonly values: Uint8Array;
  /** Bytes of all local memory. */
  readonly localBytes: number;
  /** How the code uses the memories of its arrays. */
  readonly uses: readonly Use<M>[];
  /** The arrays in the order of the parameters, at the addresses of `values`. */
  readonly arrays: readonly ArrayDescriptor[];
  /** Cancels what has not begun, if the backend can. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a backend implements, over its own classes of arrays, memory, queues and built kernels. Core
 * does everything else, in functions over a driver, which pass it memory of its own backend.
 * Nothing here blocks for a device except `allocate`, which is told for how long it may.
 */
export interface Driver<
  A extends BackendArray = BackendArray,
  M extends Memory = Memory,
  Q extends BackendQueue = BackendQueue,
  K extends object = object,
> {
  /** The options that the backend accepts besides core's. */
  readonly ownOptions?: OwnOptions;
  /** Whether the thread that enqueues work runs it immediately. */
  readonly isSynchronous: boolean;
  /**
   * Allocates at least one byte of uninitialised memory. If none is free but some is about to be,
   * blocks the calling thread until it is, for at most `timeout` whole milliseconds.
   * Throws ERR_OUT_OF_MEMORY, ERR_ARGUMENT.
   */
  allocate(byteLength: number, options: EmptyOptions, timeout: number): M;
  /** Returns how often memory has been returned so far, in the whole process. */
  returned(): number;
  /**
   * Called after ERR_OUT_OF_MEMORY, with an earlier count of `returned`. Settles with true once
   * memory has been returned since then. Settles with false if no memory that would suit the
   * options is about to be.
   */
  memoryReturned(options: EmptyOptions, returned: number): Promise<boolean>;
  /**
   * Returns a producer's memory, proved to exist and to be accessible, or borrows this backend's
   * own memory. Throws ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE, ERR_OUT_OF_BOUNDS.
   */
  borrow(array: ArrayDescriptor, options: BorrowOptions): M;
  /**
   * Imports the contents of a capsule as a descriptor with its order. `borrow` then receives it
   * with the same options. Returns null if the object is not a capsule. Absent if the backend
   * accepts no capsules. Throws ERR_DISPOSED for a used one, ERR_VERSION, ERR_NOT_ACCESSIBLE for
   * memory of other devices, ERR_STREAM, and what `fromDLPack` throws.
   */
  readCapsule?(capsule: object, options?: BorrowOptions): ArrayDescriptor | null;
  /**
   * Imports an array of another backend whose memory this one can access, as a descriptor, which
   * `borrow` then receives. Keeps the memory alive until then. Returns null if it cannot access the
   * memory. Absent if it can access no other backend's memory. Throws ERR_STREAM if it cannot order
   * its work after what may be pending, and what a capsule of the array throws.
   */
  importFrom?(
    memory: Memory,
    array: ArrayDescriptor,
    options: BorrowOptions,
  ): ArrayDescriptor | null;
  /**
   * Returns an array over memory of this backend: a view of `base`, or an owner if `base` is null.
   */
  wrap(memory: M, descriptor: ArrayDescriptor, base: A | null): A;
  /** Returns the queue for work that names no queue. */
  defaultQueue(memory: M): Q;
  /**
   * Enqueues a plan's copy, in order with all other work on both memories. Either the queue's
   * kernels can access both, or the plan is contiguous. If it throws, nothing was enqueued, or what
   * was has ended. May return a promise. Before the promise settles, the work is enqueued, and
   * either other processes have been told of it or it has ended.
   */
  enqueue(queue: Q, plan: CopyPlan, target: M, origin: M): void | Promise<void>;
  /**
   * Allocates memory that both the queue and this process can access. Waits for memory as
   * `allocate` does. `memoryReturned({ queue, memoryKind: 'host' })` reports when some was
   * returned. Throws ERR_OUT_OF_MEMORY.
   */
  stage(byteLength: number, queue: Q, timeout: number): Staging;
  /**
   * Settles once all work enqueued on a memory so far has ended, for code that accesses it without
   * a queue of this backend. That is this library's work, the producer's on its queue, and
   * consumers' on queues that were named to them. May use `queue`, which can access the memory.
   * Does not block a thread. Rejects if work failed.
   */
  settle(queue: Q, memory: M): Promise<void>;
  /**
   * Maps at least one byte of a memory that has a `hostOffset`, from an address that this process
   * uses. The buffer keeps memory that this backend allocated alive, even after the memory ended,
   * as `BufferMapping.end` describes. `memory` keeps what a producer's memory needs, and lives
   * until the buffer has ended. Null if this Node cannot make such a buffer. Throws
   * ERR_NOT_ACCESSIBLE.
   */
  mapBuffer(memory: M, address: bigint, byteLength: number): BufferMapping | null;
  /**
   * Copies elements into JavaScript memory, synchronously, if the backend knows that nothing works
   * on the memory: no work of any thread or other process, and none of a producer's or a
   * consumer's. Returns false otherwise, and for memory that this process cannot access. The plan
   * has an address of the memory's arrays as its source, and counts from the first byte of `bytes`.
   * Does not wait, and changes no order. Absent if the backend never knows.
   */
  peek?(memory: M, plan: CopyPlan, bytes: Uint8Array): boolean;
  /**
   * Imports memory of another backend that the queue can access by its address. It is for copies
   * that begin after the other backend's work has ended and end before that continues. Null if the
   * queue cannot access it.
   */
  import(array: ArrayDescriptor, memory: Memory, queue: Q): ImportedMemory | null;
  /**
   * Returns how a queue can access a memory. `kernels` for memory that `stage` or `import` returned
   * for this queue.
   */
  reach(queue: Q, memory: M): Reach;
  /** The most that one launch can do. Core splits larger ranges. */
  readonly launchLimits: LaunchLimits;
  /**
   * Returns the group's items along each axis, within `limits`, for a launch that names no group.
   */
  groupOf(range: readonly number[], limits: GroupLimits): readonly number[];
  /**
   * Returns a kernel that has code for this backend, built for the queue's context. Returns a
   * promise while it is built on another thread, which rejects with ERR_KERNEL if the build fails.
   */
  build(kernel: Kernel, signature: Signature, queue: Q): K | Promise<K>;
  /** Returns the limits of a group of a built kernel on the queue's device. */
  groupLimits(queue: Q, built: K): GroupLimits;
  /**
   * Enqueues a launch of a built kernel, in order with all other work on its memories, which the
   * queue can access. If it throws, nothing was enqueued, or what was has ended. May return a
   * promise. Before the promise settles, the work has ended, or what the promise of `enqueue`
   * guarantees holds.
   */
  launch(queue: Q, built: K, launch: Launch<M>): void | Promise<void>;
  /**
   * Makes a queue wait for all earlier work on the memories, for work that other code will enqueue.
   */
  before(queue: Q, uses: readonly Use<M>[]): void;
  /**
   * Records that other code has enqueued work on the memories. May return a promise, with the
   * guarantees of that of `enqueue`.
   */
  after(queue: Q, uses: readonly Use<M>[]): void | Promise<void>;
  /**
   * Calls `work` in a state in which functions of the backend's driver may be called for the queue.
   * If the queue can be ordered only by waiting, calls `work` later and returns a promise of its
   * result.
   */
  within<T>(queue: Q, uses: readonly Use<M>[], work: () => T): T | Promise<Awaited<T>>;
}

const drivers = new WeakMap<BackendIdentity, Driver>();

/** Registers a backend's driver for copies from and to other backends. */
export function registerDriver(backend: BackendIdentity, driver: Driver): void {
  drivers.set(backend, driver);
}

/**
 * Returns the driver of a memory's backend. Null for a backend of another installed copy of core.
 */
export function driverOf(memory: Memory): Driver | null {
  return drivers.get(memory.backend) ?? null;
}
