import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { relativeLayout } from '../../descriptor/relative-layout.js';
import type { DType } from '../../dtype/dtype.js';
import type { Driver } from '../interface/driver.js';
import { type Memory, memoryOf } from '../interface/memory.js';
import type { EmptyOptions } from '../interface/options.js';
import type { BackendQueue } from '../interface/queue.js';
import type { Deadline } from './deadline.js';
import { assertUsable } from './retained-memory.js';

/** One side of a copy: its elements, and the memory that contains them. */
export interface Side {
  readonly array: ArrayDescriptor;
  readonly memory: Memory;
}

/** One side of a copy between backends, with its driver and queue. */
export interface DrivenSide extends Side {
  readonly driver: Driver;
  /** A queue of the driver whose kernels can access the memory. */
  readonly queue: BackendQueue;
}

/**
 * Retains the memory behind one side of a copy; the caller releases it. It is the array's own
 * memory, of any backend, or memory borrowed for this copy. Throws what `Driver.borrow` throws,
 * ERR_DISPOSED, ERR_OUT_OF_BOUNDS.
 */
export function acquire(driver: Driver, array: ArrayDescriptor, path: string): Side {
  const known = memoryOf(array.owner);
  if (known !== null) assertUsable(array.owner, known, path);
  known?.retain();
  const memory = known ?? driver.borrow(array, {});
  try {
    memory.assertHolds(array, path);
    return { array, memory };
  } catch (error) {
    memory.release();
    throw error;
  }
}

/**
 * Makes a dense array for the steps of a copy. The caller ends its memory. Throws
 * ERR_OUT_OF_MEMORY.
 */
export function temporary(
  driver: Driver,
  place: EmptyOptions,
  shape: readonly number[],
  dtype: DType,
  deadline: Deadline,
): Side {
  const layout = relativeLayout(shape, dtype);
  const memory = driver.allocate(Math.max(1, layout.nbytes), place, deadline.left);
  return { memory, array: replace(layout, { pointer: memory.pointer, owner: memory }) };
}
