import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { BackendArray } from './array.js';
import type { Memory } from './memory.js';
import type { BorrowOptions, EmptyOptions } from './options.js';
import type { CopyPlan } from './plan-copy.js';
import type { BackendQueue } from './queue.js';
import type { Check } from './read-options.js';
import type { Staging } from './staging.js';

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

/**
 * What a backend brings. Core does everything else, by functions over a driver. Nothing here waits
 * for a device but `allocate`, which is told how long it may.
 */
export interface Driver<A extends BackendArray = BackendArray> {
  /** The options that its backend takes besides core's. */
  readonly ownOptions?: OwnOptions;
  /** Whether the thread that enqueues work does it at once. */
  readonly worksAtOnce: boolean;
  /**
   * New memory of at least one byte, uninitialised. Where none is free but some is on its way back,
   * waits for that on the calling thread, at most `patience` milliseconds. Throws
   * ERR_OUT_OF_MEMORY, ERR_ARGUMENT.
   */
  allocate(byteLength: number, options: EmptyOptions, patience: number): Memory;
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
  /** An array over memory of this backend: a view of `base`, or an owner where `base` is null. */
  wrap(memory: Memory, descriptor: ArrayDescriptor, base: A | null): A;
  /** The queue for work that names none. */
  defaultQueue(memory: Memory): BackendQueue;
  /**
   * Gives a queue the work of a plan, in the order of all other work on both memories. The queue
   * reaches both by kernels, or the plan is contiguous. When it throws, nothing was enqueued, or
   * what was has ended.
   */
  enqueue(queue: BackendQueue, plan: CopyPlan, target: Memory, origin: Memory): void;
  /**
   * New memory that both the queue and this process reach. Waits for memory as `allocate` does;
   * `memoryReturned({ queue, memoryKind: 'host' })` tells when some came back. Throws
   * ERR_OUT_OF_MEMORY.
   */
  stage(byteLength: number, queue: BackendQueue, patience: number): Staging;
  /**
   * Settles when a memory is at rest, for code that works on it without a queue of this backend.
   * All that is enqueued so far has then ended: our work, the producer's on its queue, and
   * consumers' on queues that were named to them. May use `queue`, which reaches the memory. Holds
   * no thread. Rejects when work failed.
   */
  settle(queue: BackendQueue, memory: Memory): Promise<void>;
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
}
