import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { BackendArray } from './array.js';
import type { Memory } from './memory.js';
import type { BorrowOptions, EmptyOptions } from './options.js';
import type { CopyPlan } from './plan-copy.js';
import type { BackendQueue } from './queue.js';
import type { Staging } from './staging.js';

/**
 * How a queue gets at a memory: its kernels read and write it, only the runtime's own copy of
 * contiguous bytes does, or nothing does.
 */
export type Reach = 'kernels' | 'copies' | 'no';

/** Memory of another backend as memory of ours, and the array at the addresses that our queues use. */
export interface ImportedMemory {
  /** Of the backend that was asked; it keeps the memory that it stands for. */
  readonly memory: Memory;
  /** The same elements, their pointer as that backend's queues take it. */
  readonly array: ArrayDescriptor;
}

/**
 * What a backend brings; everything else is core's, by functions over it. Nothing here waits for a
 * device, but for `allocate` where it is told how long it may.
 */
export interface Driver<A extends BackendArray = BackendArray> {
  /** The names of options that its backend takes beside core's. */
  readonly ownOptions?: {
    readonly copy?: readonly string[];
    readonly empty?: readonly string[];
    readonly borrow?: readonly string[];
  };
  /** Whether work is done when it is enqueued, by the thread that enqueues it. */
  readonly worksAtOnce: boolean;
  /**
   * New memory of at least one byte, uninitialised. Where there is none, but some is on its way back, waits
   * for that on the calling thread, at most `patience` milliseconds. Throws ERR_OUT_OF_MEMORY, ERR_ARGUMENT.
   */
  allocate(byteLength: number, options: EmptyOptions, patience: number): Memory;
  /** How often memory came back so far, in the whole process. */
  returned(): number;
  /**
   * After ERR_OUT_OF_MEMORY: settles once some memory came back, or none is on its way where the options ask
   * for it; with whether some came back after it had come back so often.
   */
  memoryReturned(options: EmptyOptions, returned: number): Promise<boolean>;
  /**
   * Memory of a producer, proved to exist and to be within reach; or a loan of memory of ours. Throws
   * ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE, ERR_OUT_OF_BOUNDS.
   */
  borrow(array: ArrayDescriptor, options: BorrowOptions): Memory;
  /** An array over memory of this backend: a view of `base`, or the owner where that is null. */
  wrap(memory: Memory, descriptor: ArrayDescriptor, base: A | null): A;
  /** The queue that work goes to when nobody names one. */
  defaultQueue(memory: Memory): BackendQueue;
  /**
   * Gives a queue the work of a plan, in the order of all other work on both memories: one that the queue
   * reaches by kernels, or a contiguous plan where it reaches one by copies. Throws before anything was
   * enqueued, or has waited for what was.
   */
  enqueue(queue: BackendQueue, plan: CopyPlan, target: Memory, origin: Memory): void;
  /**
   * New memory that both the queue and this process reach. Waits for memory as `allocate` does; what came
   * back is asked for with `memoryReturned({ queue, memoryKind: 'host' })`. Throws ERR_OUT_OF_MEMORY.
   */
  stage(byteLength: number, queue: BackendQueue, patience: number): Staging;
  /**
   * Settles when a memory is at rest: all that is enqueued so far has ended, ours, that of its producer on
   * the producer's queue, and that of consumers on queues that were named to them. For work by others than
   * queues of this backend. May use `queue`, one that reaches the memory; holds no thread. Rejects where
   * work failed.
   */
  settle(queue: BackendQueue, memory: Memory): Promise<void>;
  /**
   * Memory of another backend that the queue reaches by its address: for copies that begin when the other's
   * work has ended, and end before it goes on. Null where it is not reached.
   */
  import(array: ArrayDescriptor, memory: Memory, queue: BackendQueue): ImportedMemory | null;
  /** What a queue can do with a memory: `kernels` for what `stage` and `import` gave for this queue. */
  reach(queue: BackendQueue, memory: Memory): Reach;
}
