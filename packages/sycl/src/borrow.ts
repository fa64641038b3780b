import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import type { BorrowOptions, Sync } from '@array-interface/core/backend';
import type { SyclBackend } from './backend.js';
import { BorrowedMemory } from './borrowed-memory.js';
import { contextOf, SyclContext } from './context.js';
import { AllocatedMemory, type SyclMemory } from './memory.js';
import { prove, unknownPointer } from './prove.js';
import { runtime } from './runtime.js';
import { type Place, placeOf } from './syclobj.js';

const SYNCS: readonly Sync[] = ['wait', 'block', 'none'];

/**
 * Borrows a producer's memory: finds the place that its `syclobj` names, proves the memory there,
 * and keeps the producer. An array without elements gets real memory, which a re-export needs.
 * Throws ERR_SYCLOBJ, ERR_POINTER_UNKNOWN, ERR_OUT_OF_BOUNDS, ERR_STREAM, ERR_NOT_ACCESSIBLE.
 */
export function borrow(
  backend: SyclBackend,
  array: ArrayDescriptor,
  options: BorrowOptions,
): SyclMemory {
  const sync = readSync(options.sync);
  if (array.buffer !== null) {
    throw new ArrayInterfaceError(
      'ERR_NOT_ACCESSIBLE',
      'buffer',
      'expected USM memory, got JavaScript memory, which no SYCL queue reaches; copy it with array()',
    );
  }
  const place =
    array.syclobj === null ? somewhere(array) : placeOf(array.syclobj, addressOf(array));
  try {
    return borrowAt(place, backend, array, options.bounds, sync);
  } finally {
    // The memory holds it as long as it needs it; a queue that the caller made stays the caller's.
    if (place.queue !== array.syclobj) place.queue?.[Symbol.dispose]();
  }
}

function borrowAt(
  { context, queue }: Place,
  backend: SyclBackend,
  array: ArrayDescriptor,
  bounds: BorrowOptions['bounds'],
  sync: Sync,
): SyclMemory {
  if (array.size === 0 && runtime().typeIn(context.handle, array.pointer) === 0) {
    return new AllocatedMemory(backend, context, 1, array.itemsize, queue);
  }
  if (array.stream !== null) {
    throw new ArrayInterfaceError(
      'ERR_STREAM',
      'stream',
      `expected no pending work, got CUDA stream ${array.stream}, which no SYCL queue can wait for; ` +
        'synchronize it first',
    );
  }
  const proof = prove(array, context, bounds); // last, as it holds the block
  return new BorrowedMemory(backend, proof, array.owner, queue, sync);
}

/** A producer of another protocol names no context: the context that knows the pointer. */
function somewhere(array: ArrayDescriptor): Place {
  if (array.size === 0) return { context: contextOf(0), queue: null };
  const { place } = runtime().find(array.pointer);
  if (place === null) throw unknownPointer(array.pointer, null);
  return { context: new SyclContext(place), queue: null };
}

/** The address that says which device of a context it is; 0 where no element does. */
function addressOf(array: ArrayDescriptor): bigint {
  return array.size === 0 ? 0n : array.pointer;
}

function readSync(sync: Sync | undefined): Sync {
  if (sync === undefined) return process.env['ARRAY_INTERFACE_SYNC'] === '0' ? 'none' : 'wait';
  if (SYNCS.includes(sync)) return sync;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'sync',
    `expected ${SYNCS.join(', ')} or nothing, got ${String(sync)}`,
  );
}
