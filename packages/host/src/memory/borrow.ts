import type { Backend, BorrowOptions } from '@array-interface/core';
import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import {
  type Allocation,
  assertWithin,
  ImportedCapsule,
  memoryOf,
  namedOwner,
} from '@array-interface/core/backend';
import { addon, type LeaseHandle, type PageAccess } from '../addon.js';
import { HostMemory } from './memory.js';

/**
 * Borrows a producer's memory, after proving that it exists; touches nothing before that. This
 * package's allocator knows the exact range of its own memory. For all other memory, the process's
 * table of mappings answers. A mask is proved with its array. Memory of this backend is lent.
 * `take` returns the lease that keeps the memory, once all is proved.
 * Throws ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE, ERR_OUT_OF_BOUNDS.
 */
export function borrow(
  backend: Backend,
  array: ArrayDescriptor,
  options: BorrowOptions,
  take: (array: ArrayDescriptor) => LeaseHandle | null = leaseOf,
): HostMemory {
  const { owner: producer, pointer } = array;
  const lender = memoryOf(producer);
  if (lender instanceof HostMemory) return lender.lend(backend, namedOwner(producer));
  if (options.sync !== 'none') refuseOtherDevices(array);
  if (array.mask !== null && array.mask.buffer === null) prove(array.mask, 'mask.data[0]', options);
  const { allocation, writable } = prove(array, 'data[0]', options);
  const lease = take(array);
  const buffer = null;
  return new HostMemory(backend, { pointer, allocation, writable, lease, producer, buffer });
}

/**
 * The lease that keeps the memory: a capsule's or a column's, or this package's allocator's. Null if
 * only the producer keeps it.
 */
function leaseOf({ owner, pointer, size }: ArrayDescriptor): LeaseHandle | null {
  if (owner instanceof ImportedCapsule) return leaseOfCapsule(owner);
  return size === 0 ? null : addon().hold(pointer);
}

/**
 * The lease that came with the capsule, which one memory owns and ends; another lease for each
 * later memory.
 */
function leaseOfCapsule(capsule: ImportedCapsule): LeaseHandle {
  const lease = capsule.handle as LeaseHandle;
  if (capsule.isBorrowed) return addon().share(lease);
  capsule.isBorrowed = true;
  return lease;
}

interface Proof {
  readonly allocation: Allocation | null;
  readonly writable: boolean;
}

function prove(array: ArrayDescriptor, path: string, options: BorrowOptions): Proof {
  if (array.size === 0) return { allocation: null, writable: true };
  const own = addon().find(array.pointer);
  if (own === null && addon().isGone(array.pointer)) throw gone(array, path);
  if (options.bounds === 'trust') return { allocation: null, writable: true };
  if (own !== null) {
    assertWithin(array, own, path);
    return { allocation: own, writable: true };
  }
  const [low, high] = array.extent;
  const start = low === 0 ? array.pointer : array.pointer + BigInt(low);
  const byteLength = high - low;
  const allowed = addon().allows(start, byteLength);
  if (allowed > 0) return { allocation: { pointer: start, byteLength }, writable: allowed > 1 };
  throw refusal(array, path);
}

/**
 * This package's memory keeps its addresses after it is freed: nothing else is ever allocated
 * there.
 */
function gone({ pointer }: ArrayDescriptor, path: string): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_POINTER_UNKNOWN',
    path,
    `expected live memory, got 0x${pointer.toString(16)}, whose owner was disposed; keep the ` +
      'array that the interface dict was read from',
  );
}

/** Checks the first element, to tell a wrong address from a layout that is too long. */
function refusal(array: ArrayDescriptor, path: string): ArrayInterfaceError {
  const first: PageAccess | null = addon().access(array.pointer, array.itemsize);
  const address = `0x${array.pointer.toString(16)}`;
  if (first === null) {
    return new ArrayInterfaceError(
      'ERR_POINTER_UNKNOWN',
      path,
      `expected an address that can be checked, got ${address} on a system that lists no mappings; ` +
        "pass bounds: 'trust' to asArray if the producer is right",
    );
  }
  if (first.readable === array.itemsize) {
    return beyondReadable(array, path);
  }
  if (first.mapped) {
    return new ArrayInterfaceError(
      'ERR_NOT_ACCESSIBLE',
      path,
      `expected memory that this process can read, got ${address}, which it cannot; ` +
        'copy device memory with the backend of its device',
    );
  }
  return new ArrayInterfaceError(
    'ERR_POINTER_UNKNOWN',
    path,
    `expected an address of this process, got ${address}, where nothing is mapped; ` +
      'an address is valid only in its own process, and only while its producer lives; to another ' +
      'process, send the elements',
  );
}

function beyondReadable(
  { extent: [low, high] }: ArrayDescriptor,
  path: string,
): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_OUT_OF_BOUNDS',
    path,
    `expected elements within memory that this process can read, got bytes ${low} to ${high} from the ` +
      "pointer; check the producer's pointer, shape and strides",
  );
}

/** The host's queues cannot wait for a stream or a SYCL queue. */
function refuseOtherDevices(array: ArrayDescriptor): void {
  if (array.stream === null && array.syclobj === null) return;
  throw new ArrayInterfaceError(
    'ERR_NOT_ACCESSIBLE',
    array.stream === null ? 'syclobj' : 'stream',
    'expected an array without a stream or queue, got one of a device; ' +
      "wait for them and pass { sync: 'none' } if this process can access it, or copy it with the backend of its device",
  );
}
