import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import type { Driver } from '../interface/driver.js';
import { assertUsable } from './kept-memory.js';
import { memoryOf } from '../interface/memory.js';
import type { Side } from './side.js';

/**
 * The memory behind one side of a copy, to be released by the caller: the array's own, of any
 * backend, or memory borrowed for this copy. Throws as `Driver.borrow`, ERR_DISPOSED,
 * ERR_OUT_OF_BOUNDS.
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
