import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  type BorrowOptions,
} from '@array-interface/core';
import {
  type BackendIdentity,
  defaultSync,
  follow,
  internals,
  memoryOf,
  namedOwner,
  nativeOwner,
  type Sync,
} from '@array-interface/core/backend';
import type { NativeMemory } from '../addon.js';
import { runtime } from '../driver/runtime.js';
import { contextAt, contextOf } from '../work/context.js';
import type { SyclQueue } from '../work/queue.js';
import { resolveSyclobj, type SyclobjTarget } from '../work/syclobj.js';
import { allocate, DEVICE } from './allocate.js';
import { SyclMemory } from './memory.js';
import { prove, unknownPointer } from './prove.js';

/**
 * Borrows a producer's memory: finds the device and context that its `syclobj` names, proves that
 * the memory exists there, and keeps the producer. This package's own memory becomes another
 * reference to its block. An empty array gets real memory, which a re-export needs. Throws
 * ERR_SYCLOBJ, ERR_POINTER_UNKNOWN, ERR_OUT_OF_BOUNDS, ERR_STREAM, ERR_NOT_ACCESSIBLE.
 */
export function borrow(
  backend: BackendIdentity,
  array: ArrayDescriptor,
  options: BorrowOptions,
): SyclMemory {
  const sync = options.sync ?? defaultSync(process.env);
  const lender = memoryOf(array.owner);
  if (lender instanceof SyclMemory) return lend(backend, lender, namedOwner(array.owner));
  if (array.buffer !== null) {
    throw new ArrayInterfaceError(
      'ERR_NOT_ACCESSIBLE',
      'buffer',
      'expected USM memory, got JavaScript memory, which no SYCL queue can access; copy it with array()',
    );
  }
  const target =
    array.syclobj === null ? somewhere(array) : resolveSyclobj(array.syclobj, addressOf(array));
  try {
    return borrowAt(target, backend, array, options, sync);
  } finally {
    // The memory keeps the queue as long as it needs it. If the caller passed the queue, the caller
    // disposes of it.
    if (target.queue !== array.syclobj) target.queue?.[Symbol.dispose]();
  }
}

/**
 * Another reference to memory of this package. The memory's producer, if any, is kept, and so is
 * what `named` refers to.
 */
function lend(backend: BackendIdentity, lender: SyclMemory, named: unknown): SyclMemory {
  const { pointer, allocation, homeQueue, producerQueue } = lender;
  const producer = lender.producer === null ? named : [lender, named];
  const native = runtime().lend(lender.native);
  const facts = { pointer, allocation, homeQueue, producer, producerQueue };
  return new SyclMemory(backend, native, facts);
}

function borrowAt(
  { context, queue }: SyclobjTarget,
  backend: BackendIdentity,
  array: ArrayDescriptor,
  options: BorrowOptions,
  sync: Sync,
): SyclMemory {
  if (array.size === 0 && runtime().typeIn(context.handle, array.pointer) === 0) {
    const byteLength = Math.max(1, array.itemsize);
    return allocate(backend, context, { type: DEVICE, byteLength, homeQueue: queue, timeout: 0 });
  }
  if (array.stream !== null && options.sync !== 'none') {
    throw new ArrayInterfaceError(
      'ERR_STREAM',
      'stream',
      `expected no pending work, got CUDA stream ${array.stream}, which no SYCL queue can wait for; ` +
        "wait for the stream, then pass { sync: 'none' }",
    );
  }
  const allocation = prove(array, context, options.bounds);
  const { owner } = array;
  const native = runtime().borrow(context.handle, array.pointer, nativeOwner(owner));
  if (native === null) throw unknownPointer(array.pointer, context);
  const memory = new SyclMemory(backend, native, {
    pointer: allocation?.pointer ?? array.pointer,
    allocation,
    homeQueue: works(queue, native) ? queue : null,
    producer: owner ?? array, // never null: the memory is not ours
    producerQueue: queue,
  });
  try {
    if (queue !== null) follow(runtime(), memory, sync);
    return memory;
  } catch (error) {
    internals(memory).end();
    throw error;
  }
}

/**
 * Whether kernels on the producer's queue can access its memory. They cannot access device memory
 * of another device of the context.
 */
function works(queue: SyclQueue | null, { type, contextDevice }: NativeMemory): boolean {
  return queue !== null && (type !== DEVICE || queue.context.id === contextDevice.id);
}

/**
 * The context that the pointer belongs to, for a producer of another protocol, which names none.
 */
function somewhere(array: ArrayDescriptor): SyclobjTarget {
  if (array.size === 0) return { context: contextOf(0), queue: null };
  const { contextDevice } = runtime().queryPointer(array.pointer);
  if (contextDevice === null) throw unknownPointer(array.pointer, null);
  return { context: contextAt(contextDevice), queue: null };
}

/** An address by which the runtime finds the device in a context; 0 for an empty array. */
function addressOf(array: ArrayDescriptor): bigint {
  return array.size === 0 ? 0n : array.pointer;
}
