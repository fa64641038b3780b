import type { ArrayOptions, EmptyOptions } from '@array-interface/core';
import type { Sync } from '@array-interface/core/backend';
import type { MemoryPool } from './pool.js';

/** Where new memory is allocated, and of what kind. */
export interface CudaEmptyOptions extends EmptyOptions {
  /**
   * The pool to take device memory from, in the order of `queue` (default: the device's own
   * stream).
   */
  readonly pool?: MemoryPool;
  /**
   * How consumers hear of pending work on the array. `wait` (default) names a stream that waits for
   * it. `block` waits on the calling thread and names none. `none` leaves it to them.
   */
  readonly exportStream?: Sync;
}

/** Where a copy into new memory goes, and what ends the wait for it. */
export interface CudaArrayOptions extends CudaEmptyOptions, ArrayOptions {}
