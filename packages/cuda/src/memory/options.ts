import type { ArrayOptions, EmptyOptions } from '@array-interface/core';
import type { Sync } from '@array-interface/core/backend';
import type { MemoryPool } from './pool.js';

/** Options of new CUDA memory: device, stream, layout, memory kind and pool. */
export interface CudaEmptyOptions extends EmptyOptions {
  /**
   * The pool to allocate device memory from. The memory exists in the order of `queue`; default:
   * the device's own stream.
   */
  readonly pool?: MemoryPool;
  /**
   * How consumers are told of pending work on the array. `wait` (default): the dict names a stream
   * that waits for it. `block`: blocks the calling thread until the work has ended and names no
   * stream. `none`: names no stream and waits for nothing; consumers order their work themselves.
   */
  readonly exportStream?: Sync;
}

/** Options of new CUDA memory and of the copy into it. */
export interface CudaArrayOptions extends CudaEmptyOptions, ArrayOptions {}
