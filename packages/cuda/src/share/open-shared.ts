import { pid } from 'node:process';
import {
  arrayOfTicket,
  assertFresh,
  assertOtherProcess,
  type BackendIdentity,
  FORGED,
  type OpenSharedOptions,
  type SharedArray,
  ticketError,
  ticketFileError,
} from '@array-interface/core/backend';
import type { LeaseLockHandle } from '../addon.js';
import { libcuda } from '../find-driver.js';
import { memoryOver } from '../memory/allocate.js';
import type { CudaMemory } from '../memory/memory.js';
import { defaultStreamOf } from '../work/streams.js';
import { environment, openFromThread } from './share.js';
import { readTicket, type Ticket } from './ticket.js';

/** Implements `CudaBackend.openShared`. Checks that the layout lies within the memory. */
export function openShared(
  backend: BackendIdentity,
  value: unknown,
  { user = environment.user() }: OpenSharedOptions,
): SharedArray<CudaMemory> {
  const shared = openFromThread(backend, value);
  if (shared !== null) return shared;
  const ticket = readTicket(value);
  assertOtherProcess(ticket, pid);
  const device = libcuda()
    .devices()
    .findIndex(({ uuid }) => uuid === ticket.device);
  if (device < 0) {
    throw ticketError(
      'ticket.device',
      `a ticket of a device of this process, got one of ${ticket.device}`,
      'let both processes see the device (CUDA_VISIBLE_DEVICES)',
    );
  }
  return arrayOfTicket(ticket, open(backend, ticket, device, user));
}

function open(backend: BackendIdentity, ticket: Ticket, device: number, user: number): CudaMemory {
  const { native: stream } = defaultStreamOf(device);
  const { memory, byteLength, ready, back } = ticket;
  const leaseLock = enter(ticket, user);
  try {
    const made = libcuda().openMemory(stream, memory, byteLength, ready, back, leaseLock);
    const facts = { origin: 'opened', device, memoryKind: 'device' } as const;
    return memoryOver(backend, made, byteLength, facts);
  } catch (error) {
    libcuda().leaveLease(leaseLock);
    throw error;
  }
}

/** Joins the lease, so that the sharer keeps the memory alive from now on. */
function enter(ticket: Ticket, user: number): LeaseLockHandle {
  const found = libcuda().openLease(ticket.lease, user);
  try {
    if (found.state !== 'open') throw ticketFileError(found, user, "a ticket's lease file");
    assertFresh(ticket, found.text, 'lease');
    assertListed(ticket, found.text);
    return found.leaseLock;
  } catch (error) {
    libcuda().leaveLease(found.leaseLock);
    throw error;
  }
}

/** Throws ERR_TICKET if the lease, of which `text` is the content, does not list the ticket. */
function assertListed({ nonce, digest }: Ticket, text: string): void {
  if (text.includes(digest, nonce.length)) return;
  throw ticketError('ticket.digest', 'a ticket that the sharer made, got a forged one', FORGED);
}
