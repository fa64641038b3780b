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

/** Memory that both the backend's queues and this process reach; holds one dense array. */
export interface Staging {
  /** What both sides reach. */
  readonly memory: Memory;
  /** The address that the backend's queues use. */
  readonly pointer: bigint;
  /** Copies JavaScript memory in, at once. `plan` counts from the first byte of each side. */
  read(plan: CopyPlan, bytes: Uint8Array): void;
  /** Copies out into JavaScript memory, at once. `plan` counts from the first byte of each side. */
  write(plan: CopyPlan, bytes: Uint8Array): void;
}

/**
 * What a queue can do with a memory: its kernels read and write it, only the runtime's own copy of
 * contiguous bytes reaches it, or nothing does.
 */
export type Reach = 'kernels' | 'copies' | 'no';

/**
 * Memory of another backend as memory of ours, and its array at the addresses that our queues use.
 */
export interface ImportedMemory {
  /** Memory of the backend that imported it. It keeps the memory that it stands for. */
  readonly memory: Memory;
  /** The same elements, at the address that this backend's queues use. */
  readonly array: ArrayDescriptor;
}

/** The options that a backend takes besides core's, each with its check. */
export interface OwnOptions {
  /** Those of a copy. */
  readonly copy?: Readonly<Record<string, Check>>;
  /** Those of new memory. */
  readonly empty?: Readonly<Record<string, Check>>;
  /** Those of borrowed memory. */
  readonly borrow?: Readonly<Record<string, Check>>;
}

/** What work does with a memory. */
export interface Use {
  /** Memory of the backend. */
  readonly memory: Memory;
  /** Whether it writes there; it reads in any case. */
  readonly writes: boolean;
}

/** How much one launch can do; core cuts what is more. */
export interface LaunchLimits {
  /** Most items. */
  readonly items: number;
  /** Most groups along each axis, the fastest axis first. */
  readonly groups: readonly number[];
}

/** What a group of a kernel can be on a device; more is refused before anything runs. */
export interface GroupLimits {
  /** Most items. */
  readonly items: number;
  /** Most items along each axis, the fastest axis first. */
  readonly axes: readonly number[];
  /** Most bytes of local memory that its parameters ask for. */
  readonly localBytes: number;
}

/** One launch of a kernel. */
export interface Launch {
  /** First index along each axis. */
  readonly begin: readonly number[];
  /** Items along each axis; the last axis is the fastest. */
  readonly range: readonly number[];
  /** Items of a group along each axis. */
  readonly group: readonly number[];
  /** What the code takes: 8 bytes for each value, by `Signature.types`. It is used again later. */
  readonly values: Uint8Array;
  /** Bytes of all local memory. */
  readonly localBytes: number;
  /** What the code does with the memories of its arrays. */
  readonly uses: readonly Use[];
  /** The arrays in the order of the parameters, at the addresses of `values`. */
  readonly arrays: readonly ArrayDescriptor[];
  /** Gives up what has not begun, where a backend can. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a backend brings. Core does everything else, by functions over a driver. Nothing here waits
 * for a device but `allocate`, which is told how long it may.
 */
export interface Driver<A extends BackendArray = BackendArray> {
  /** The options that its backend takes besides core's. */
  readonly ownOptions?: OwnOptions;
  /** Whether the thread that enqueues work does it at once. */
  readonly isSynchronous: boolean;
  /**
   * New memory of at least one byte, uninitialised. Where none is free but some is on its way back,
   * waits for that on the calling thread, at most `timeout` milliseconds. Throws
   * ERR_OUT_OF_MEMORY, ERR_ARGUMENT.
   */
  allocate(byteLength: number, options: EmptyOptions, timeout: number): Memory;
  /** How often memory has come back, in the whole process. */
  returned(): number;
  /**
   * Called after ERR_OUT_OF_MEMORY, with an earlier count of `returned`. Settles once memory has
   * come back since then, or no memory is on its way that would suit the options. True: some has
   * come back.
   */
  memoryReturned(options: EmptyOptions, returned: number): Promise<boolean>;
  /**
   * Memory of a producer, proved to exist and to be within reach, or a loan of memory of ours.
   * Throws ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE, ERR_OUT_OF_BOUNDS.
   */
  borrow(array: ArrayDescriptor, options: BorrowOptions): Memory;
  /**
   * Takes what is in a capsule, as a descriptor with its order, which `borrow` then gets, with the same
   * options. Null: it is no capsule. Nothing: this backend takes none. Throws ERR_DISPOSED for a used one, ERR_VERSION,
   * ERR_NOT_ACCESSIBLE for memory of other devices, ERR_STREAM, and what `fromDLPack` throws.
   */
  readCapsule?(capsule: object, options?: BorrowOptions): ArrayDescriptor | null;
  /**
   * Takes an array of another backend whose memory this one reaches, as a descriptor which `borrow`
   * then gets; it keeps the memory until that is done. Null: it reaches no such memory. Nothing: it
   * reaches none of others. Throws ERR_STREAM where it cannot order its work after what may be
   * pending, and what a capsule of the array throws.
   */
  importFrom?(
    memory: Memory,
    array: ArrayDescriptor,
    options: BorrowOptions,
  ): ArrayDescriptor | null;
  /** An array over memory of this backend: a view of `base`, or an owner where `base` is null. */
  wrap(memory: Memory, descriptor: ArrayDescriptor, base: A | null): A;
  /** The queue for work that names none. */
  defaultQueue(memory: Memory): BackendQueue;
  /**
   * Gives a queue the work of a plan, in the order of all other work on both memories. The queue
   * reaches both by kernels, or the plan is contiguous. When it throws, nothing was enqueued, or
   * what was has ended. A promise, where it is enqueued, and other processes learn of it, or it ends,
   * before that settles.
   */
  enqueue(
    queue: BackendQueue,
    plan: CopyPlan,
    target: Memory,
    origin: Memory,
  ): void | Promise<void>;
  /**
   * New memory that both the queue and this process reach. Waits for memory as `allocate` does;
   * `memoryReturned({ queue, memoryKind: 'host' })` tells when some came back. Throws
   * ERR_OUT_OF_MEMORY.
   */
  stage(byteLength: number, queue: BackendQueue, timeout: number): Staging;
  /**
   * Settles when a memory is at rest, for code that works on it without a queue of this backend.
   * All that is enqueued so far has then ended: our work, the producer's on its queue, and
   * consumers' on queues that were named to them. May use `queue`, which reaches the memory. Holds
   * no thread. Rejects when work failed.
   */
  settle(queue: BackendQueue, memory: Memory): Promise<void>;
  /**
   * A buffer over bytes of a memory that has a `hostOffset`, at least one, from an address that this
   * process uses. The buffer keeps what we allocated, also when it was ended; see `BufferMapping.end`. What
   * a producer's memory needs is kept by `memory`, which lives as long as the buffer has not ended.
   * Null: this Node makes no such buffer. Throws ERR_NOT_ACCESSIBLE.
   */
  expose(memory: Memory, address: bigint, byteLength: number): BufferMapping | null;
  /**
   * Memory of another backend that the queue reaches by its address. It is for copies that begin
   * when the other's work has ended, and end before the other goes on. Null: the queue does not
   * reach it.
   */
  import(array: ArrayDescriptor, memory: Memory, queue: BackendQueue): ImportedMemory | null;
  /**
   * What a queue can do with a memory. `kernels` for memory that `stage` or `import` gave for this
   * queue.
   */
  reach(queue: BackendQueue, memory: Memory): Reach;
  /** How much one launch can do; core cuts what is more. */
  readonly launchLimits: LaunchLimits;
  /** The items of a group along each axis, for a launch that names none, within `limits`. */
  groupOf(range: readonly number[], limits: GroupLimits): readonly number[];
  /**
   * A kernel of which there is code for this backend, built for the queue's context, or a promise of
   * it while it is built on another thread. Rejects with ERR_KERNEL.
   */
  build(kernel: Kernel, signature: Signature, queue: BackendQueue): object | Promise<object>;
  /** What a group of what `build` gave can be on the queue's device. */
  groupLimits(queue: BackendQueue, built: object): GroupLimits;
  /**
   * Gives a queue a launch of what `build` gave, in the order of all other work on its memories,
   * which the queue reaches. A promise, where the work ends before it settles, or as that of
   * `enqueue`. When it throws, nothing was enqueued, or what was has ended.
   */
  launch(queue: BackendQueue, built: object, launch: Launch): void | Promise<void>;
  /** Makes a queue wait for all work before this on the memories, for work that others will give it. */
  before(queue: BackendQueue, uses: readonly Use[]): void;
  /** Notes that others gave a queue work on the memories. A promise as that of `enqueue`. */
  after(queue: BackendQueue, uses: readonly Use[]): void | Promise<void>;
  /**
   * Calls `work` where functions of the backend's driver may be called for the queue. A promise of what
   * it gives, where only waiting makes a queue wait; then `work` is called later.
   */
  within<T>(queue: BackendQueue, uses: readonly Use[], work: () => T): T | Promise<Awaited<T>>;
}

const drivers = new WeakMap<BackendIdentity, Driver>();

/** Registers a backend's driver, for copies from and to other backends. */
export function registerDriver(backend: BackendIdentity, driver: Driver): void {
  drivers.set(backend, driver);
}

/** The driver of a memory's backend. Null for a backend of another installed copy of core. */
export function driverOf(memory: Memory): Driver | null {
  return drivers.get(memory.backend) ?? null;
}
