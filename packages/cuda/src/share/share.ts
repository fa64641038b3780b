import { createRequire } from 'node:module';
import {
  assertUnmasked,
  type BackendIdentity,
  type Held,
  insteadOfOwnArray,
  internals,
  type MemoryHandle,
  type SharedArray,
  type ShareOptions,
  sharedLayout,
  type ThreadTicket,
  ThreadTickets,
  type TicketEnvironment,
  ticketEnvironment,
  ticketError,
} from '@array-interface/core/backend';
import { type CudaMemoryKind, type LeaseHandle, modulePath, type NativeBlock } from '../addon.js';
import { CudaArray } from '../array.js';
import { libcuda } from '../find-driver.js';
import { CudaMemory } from '../memory/memory.js';
import { defaultStreamOf } from '../work/streams.js';
import { seal, type Ticket } from './ticket.js';

/** What has been written to a memory's lease file so far. */
interface Lease {
  /** The first part of the file. Every ticket of the memory contains it. */
  readonly nonce: string;
  readonly digests: Set<string>;
}

const leases = new WeakMap<CudaMemory, Lease>();

/** What another thread needs to know about shared memory, in JSON types. */
interface Facts {
  readonly device: number;
  readonly memoryKind: CudaMemoryKind;
  readonly shift: string;
  readonly hostOffset: string | null;
}

/** The Node functions that tickets need. */
export const environment: TicketEnvironment = ticketEnvironment(createRequire(modulePath));

/** The tickets that threads open. */
const threadTickets = new ThreadTickets<MemoryHandle, NativeBlock, Facts>(
  'cuda',
  libcuda,
  environment,
);

/** Implements `CudaBackend.share`. */
export function share(
  array: CudaArray,
  { threadsOnly = false }: ShareOptions,
): Held<Ticket | ThreadTicket> {
  if (!(array instanceof CudaArray)) {
    const { got, cure = 'copy it with cuda.array()' } = insteadOfOwnArray(array, 'cuda');
    throw ticketError('array', `an array of the CUDA backend, got ${got}`, cure);
  }
  const { descriptor, memory } = array;
  assertUnmasked(descriptor);
  internals(memory).assertEnqueued('array');
  const { origin, memoryKind } = memory;
  const isForProcesses = !threadsOnly && origin === 'allocated' && memoryKind === 'device';
  // Orders the memory after what the producer of a loan has enqueued, for everyone who shares the
  // memory.
  if (memory.producerQueue !== null) memory.exportStream();
  const ticket = isForProcesses ? ticketOf(array) : null;
  return threadTickets.share(descriptor, memory, memory.native, factsOf(memory), ticket);
}

/**
 * Returns the memory and the array of a ticket that a thread of this process made. Null for any
 * other value.
 */
export function openFromThread(
  backend: BackendIdentity,
  value: unknown,
): SharedArray<CudaMemory> | null {
  const shared = threadTickets.open(value);
  if (shared === null) return null;
  const { opened, pointer, allocation, facts } = shared;
  const { device, memoryKind, shift, hostOffset } = facts;
  const memory = new CudaMemory(backend, {
    ...{ native: opened.handle, origin: 'loan', device, memoryKind, pointer, allocation },
    shift: BigInt(shift),
    hostOffset: hostOffset === null ? null : BigInt(hostOffset),
  });
  return { memory, descriptor: shared.describe(memory) };
}

function factsOf(memory: CudaMemory): Facts {
  const { device, memoryKind, shift, hostOffset } = memory;
  return {
    ...{ device, memoryKind, shift: String(shift) },
    hostOffset: hostOffset === null ? null : String(hostOffset),
  };
}

/** Returns the part of the ticket that other processes read. */
function ticketOf({ descriptor, memory }: CudaArray): Ticket {
  const layout = sharedLayout(descriptor, memory);
  const made = libcuda().share(memory.native, defaultStreamOf(memory.device).native);
  const lease = leaseOf(memory, made.lease);
  const ticket = seal({
    kind: 'array-interface/cuda',
    version: 1,
    lease: made.path,
    nonce: lease.nonce,
    device: uuidOf(memory.device),
    memory: made.memory,
    ready: made.ready,
    back: made.back,
    byteLength: memory.allocation?.byteLength ?? 0,
    ...layout,
  });
  admit(lease, made.lease, ticket);
  return ticket;
}

function leaseOf(memory: CudaMemory, handle: LeaseHandle): Lease {
  const known = leases.get(memory);
  if (known !== undefined) return known;
  const lease: Lease = { nonce: environment.newToken(), digests: new Set() };
  libcuda().writeLease(handle, lease.nonce);
  leases.set(memory, lease);
  return lease;
}

/** Adds the ticket's digest to the lease file, where openers look it up. */
function admit({ digests }: Lease, handle: LeaseHandle, { digest }: Ticket): void {
  if (digests.has(digest)) return;
  libcuda().writeLease(handle, digest);
  digests.add(digest);
}

/** Returns a device's UUID in hexadecimal digits. */
function uuidOf(device: number): string {
  return libcuda().devices()[device]?.uuid ?? '';
}
