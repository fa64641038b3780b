import { createRequire } from 'node:module';
import {
  type BackendIdentity,
  endedTicket,
  type Held,
  insteadOfOwnArray,
  internals,
  type MemoryHandle,
  type SharedArray,
  type ThreadTicket,
  ThreadTickets,
  ticketEnvironment,
  ticketError,
} from '@array-interface/core/backend';
import { modulePath, type NativeMemory } from './addon.js';
import { SyclArray } from './array.js';
import { runtime } from './driver/runtime.js';
import { SyclMemory } from './memory/memory.js';

/** The tickets that other threads of this process open. */
const threadTickets = new ThreadTickets<MemoryHandle, NativeMemory, object>(
  'sycl',
  runtime,
  ticketEnvironment(createRequire(modulePath)),
);

/**
 * Makes a ticket for an array of this backend. Throws ERR_TICKET for another array and for a
 * producer's memory.
 */
export function share(array: SyclArray): Held<ThreadTicket> {
  if (!(array instanceof SyclArray)) {
    const { got, cure = 'copy it with sycl.array()' } = insteadOfOwnArray(array, 'sycl');
    throw ticketError('array', `an array of the SYCL backend, got ${got}`, cure);
  }
  const { descriptor, memory } = array;
  internals(memory).assertEnqueued('array');
  // After this, every reference to the memory is ordered after what the loan's producer enqueued.
  if (memory.producerQueue !== null) memory.exportQueue();
  return threadTickets.share<ThreadTicket>(descriptor, memory, memory.native, {}, null);
}

/**
 * Opens a ticket: returns the shared memory and the layout that the sharer stored with it. Throws
 * ERR_TICKET.
 */
export function openShared(backend: BackendIdentity, value: unknown): SharedArray<SyclMemory> {
  const shared = threadTickets.open(value);
  if (shared === null) throw endedTicket();
  const memory = new SyclMemory(backend, shared.opened, {
    pointer: shared.pointer,
    allocation: shared.allocation,
  });
  return { memory, descriptor: shared.describe(memory) };
}
