import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import { relativeLayout } from '../../descriptor/relative-layout.js';
import { newBuffer } from '../../plan/copy-buffers.js';
import { planCopy } from '../../plan/plan-copy.js';
import type { Driver } from '../interface/driver.js';
import type { Memory } from '../interface/memory.js';
import { waitingAt } from '../order/deferred-work.js';
import { isInUse } from '../order/in-use.js';

/**
 * Returns elements of an array, dense and in C order, if all work on its memory is known to have
 * ended and this process can access the memory. Null otherwise. Never waits, and leaves no trace in
 * the order of work. Throws ERR_DISPOSED, ERR_OUT_OF_BOUNDS, ERR_OUT_OF_MEMORY.
 */
export function peek(driver: Driver, memory: Memory, array: ArrayDescriptor): ArrayBuffer | null {
  memory.assertLive('array');
  memory.assertHolds(array, 'array');
  if (memory.isRetained || waitingAt(memory).length > 0 || isInUse(memory)) return null;
  const buffer = newBuffer(array.nbytes);
  const target = relativeLayout(array.shape, array.dtype, null, buffer);
  const isRead = driver.peek?.(memory, planCopy(target, array), new Uint8Array(buffer)) ?? false;
  return isRead ? buffer : null;
}
