import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import type { Allocation, BorrowOptions, MemoryKind } from '@array-interface/core/backend';
import type { UsmType } from './addon.js';
import type { Proof } from './borrowed-memory.js';
import type { SyclContext } from './context.js';
import { KINDS } from './memory.js';
import { runtime } from './runtime.js';

/**
 * Proves that an array's memory exists in a context, without touching it: the range
 * when the memory is ours, otherwise both ends of what the elements touch, which is all that the
 * runtime can say. `bounds: 'trust'` asks for the first element alone. Throws ERR_POINTER_UNKNOWN,
 * ERR_OUT_OF_BOUNDS.
 */
export function prove(
  array: ArrayDescriptor,
  context: SyclContext,
  bounds: BorrowOptions['bounds'],
): Proof {
  const type = runtime().typeIn(context.handle, array.pointer);
  if (type === 0) throw unknownPointer(array.pointer, context);
  const memoryKind = KINDS[type] as MemoryKind;
  const allocation = bounds === 'trust' ? null : proved(array, context, type);
  const pointer = allocation?.pointer ?? array.pointer;
  const hold = runtime().borrow(array.pointer)?.hold ?? null;
  return { context, memoryKind, pointer, allocation, hold };
}

/** The block of ours that holds the elements, or what they touch, when both ends are there. */
function proved(array: ArrayDescriptor, context: SyclContext, type: UsmType): Allocation {
  const [low, high] = array.extent;
  const touched = { pointer: array.pointer + BigInt(low), byteLength: high - low };
  const block = runtime().rangeOf(array.pointer);
  if (block !== null) {
    if (within(touched, block)) return block;
    throw outOfBounds(touched, block);
  }
  if (touched.byteLength === 0) return touched;
  const last = touched.pointer + BigInt(touched.byteLength) - 1n;
  for (const end of [touched.pointer, last]) {
    if (runtime().typeIn(context.handle, end) !== type) throw outOfBounds(touched, null);
  }
  return touched;
}

/** No USM memory that the context (null: any) has, or memory that was given back. */
export function unknownPointer(pointer: bigint, context: SyclContext | null): ArrayInterfaceError {
  const { selector } = context ?? { selector: 'any device' };
  return new ArrayInterfaceError(
    'ERR_POINTER_UNKNOWN',
    'data[0]',
    `expected USM memory in the context of ${selector}, got 0x${pointer.toString(16)}, which it ` +
      'does not know; copy the array into USM memory with array()',
  );
}

function within(inner: Allocation, outer: Allocation): boolean {
  const end = inner.pointer + BigInt(inner.byteLength);
  return inner.pointer >= outer.pointer && end <= outer.pointer + BigInt(outer.byteLength);
}

function outOfBounds(touched: Allocation, held: Allocation | null): ArrayInterfaceError {
  const show = ({ pointer, byteLength }: Allocation) =>
    `[0x${pointer.toString(16)}, 0x${(pointer + BigInt(byteLength)).toString(16)})`;
  const limits = held === null ? 'one USM allocation' : `the allocation ${show(held)}`;
  return new ArrayInterfaceError(
    'ERR_OUT_OF_BOUNDS',
    'shape',
    `expected elements within ${limits}, got elements in ${show(touched)}; ` +
      'check shape, strides and offset of the producer',
  );
}
