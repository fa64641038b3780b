import { pid } from 'node:process';
import {
  arrayOfTicket,
  type BackendIdentity,
  endedTicket,
  FORGED,
  type OpenSharedOptions,
  type SharedArray,
  ticketError,
  ticketFileError,
} from '@array-interface/core/backend';
import type { LeaseLockHandle } from '../addon.js';
import { libcuda } from '../find-driver.js';
import { CudaMemory } from '../memory/memory.js';
import type { Streams } from '../work/streams.js';
import { environment, openFromThread } from './share.js';
import { readTicket, type Ticket } from './ticket.js';

/** Implements `CudaBackend.openShared`. Checks that the layout lies within the memory. */
export function openShared(
  backend: BackendIdentity,
  streams: Streams,
  value: unknown,
  { user = environment.user() }: OpenSharedOptions,
): SharedArray<CudaMemory> {
  const shared = openFromThread(backend, streams, value);
  if (shared !== null) return shared;
  const ticket = readTicket(value);
  if (ticket.lease.startsWith(`/proc/${pid}/`)) throw endedTicket();
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
  return arrayOfTicket(ticket, open(backend, streams, ticket, device, user));
}

function open(
  backend: BackendIdentity,
  streams: Streams,
  ticket: Ticket,
  device: number,
  user: number,
): CudaMemory {
  const { native: stream } = streams.defaultOf(device);
  const { memory, byteLength, ready, back } = ticket;
  const leaseLock = enter(ticket, user);
  try {
    const made = libcuda().openMemory(stream, memory, byteLength, ready, back, leaseLock);
    const { handle: native, pointer } = made;
    return new CudaMemory(backend, streams, {
      ...{ native, origin: 'opened', device, memoryKind: 'device', pointer, hostOffset: null },
      allocation: { pointer, byteLength },
    });
  } catch (error) {
    libcuda().leaveLease(leaseLock);
    throw error;
  }
}

/** Joins the lease, so that the sharer keeps the memory alive from now on. */
function enter(ticket: Ticket, user: number): LeaseLockHandle {
  const found = libcuda().openLease(ticket.lease, user);
  const refusal =
    found.state === 'open'
      ? refuse(ticket, found.text)
      : ticketFileError(found, user, 'the file of a lease');
  if (refusal === null) return found.leaseLock;
  libcuda().leaveLease(found.leaseLock);
  throw refusal;
}

function refuse({ nonce, digest }: Ticket, text: string): Error | null {
  if (!text.startsWith(nonce)) {
    return ticketError(
      'ticket.lease',
      'the lease that the ticket was made with, got a stale ticket: its place has been taken',
      'share the array again',
    );
  }
  if (!text.includes(digest, nonce.length)) {
    return ticketError('ticket.digest', 'a ticket that the sharer made, got a forged one', FORGED);
  }
  return null;
}
