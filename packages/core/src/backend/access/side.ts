import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import type { Driver } from '../interface/driver.js';
import type { Memory } from '../interface/memory.js';
import type { BackendQueue } from '../interface/queue.js';

/** One side of a copy: elements, and the memory that they lie in. */
export interface Side {
  readonly array: ArrayDescriptor;
  readonly memory: Memory;
}

/** One side of a copy between backends, and what works on it. */
export interface DrivenSide extends Side {
  readonly driver: Driver;
  /** A queue of the driver that reaches the memory by kernels. */
  readonly queue: BackendQueue;
}
