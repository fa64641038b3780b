import type { BorrowOptions } from '@array-interface/core';
import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import { type Allocation, assertWithin } from '@array-interface/core/backend';
import type { UsmType } from '../addon.js';
import { runtime } from '../driver/runtime.js';
import type { SyclContext } from '../work/context.js';

/**
 * Proves that an array's memory exists in a context, without accessing it. For this package's
 * memory, checks the range of the allocation. For other memory, queries the runtime for both ends
 * of what the elements span, which is all that the runtime can report. Null for `bounds: 'trust'`,
 * which checks only the first element. Throws ERR_POINTER_UNKNOWN, ERR_OUT_OF_BOUNDS.
 */
export function prove(
  array: ArrayDescriptor,
  context: SyclContext,
  bounds: BorrowOptions['bounds'],
): Allocation | null {
  const type = runtime().typeIn(context.handle, array.pointer);
  if (type === 0) throw unknownPointer(array.pointer, context);
  return bounds === 'trust' ? null : proved(array, context, type);
}

function proved(array: ArrayDescriptor, context: SyclContext, type: UsmType): Allocation {
  const [low, high] = array.extent;
  const touched = { pointer: array.pointer + BigInt(low), byteLength: high - low };
  const block = runtime().rangeOf(array.pointer);
  if (block !== null) {
    assertWithin(array, block, 'shape');
    return block;
  }
  if (touched.byteLength === 0) return touched;
  const last = touched.pointer + BigInt(touched.byteLength) - 1n;
  for (const end of [touched.pointer, last]) {
    if (runtime().typeIn(context.handle, end) !== type) throw beyondAllocation(array);
  }
  return touched;
}

/**
 * The error for USM memory that the context does not have, or that was freed. A null `context`
 * means any context.
 */
export function unknownPointer(pointer: bigint, context: SyclContext | null): ArrayInterfaceError {
  const { selector } = context ?? { selector: 'any device' };
  return new ArrayInterfaceError(
    'ERR_POINTER_UNKNOWN',
    'data[0]',
    `expected USM memory in the context of ${selector}, got 0x${pointer.toString(16)}, which it ` +
      'does not know; an address is valid only in its own process: there, copy the array into USM ' +
      'memory with array(); to another process, send the elements',
  );
}

function beyondAllocation({ extent: [low, high] }: ArrayDescriptor): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_OUT_OF_BOUNDS',
    'shape',
    `expected elements within one USM allocation, got bytes ${low} to ${high} from the pointer; ` +
      "check the producer's shape, strides and offset",
  );
}
