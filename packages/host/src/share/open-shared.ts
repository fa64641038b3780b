import { pid } from 'node:process';
import type { Backend } from '@array-interface/core';
import {
  arrayOfTicket,
  assertFresh,
  assertOtherProcess,
  FORGED,
  type OpenSharedOptions,
  type SharedArray,
  ticketError,
  ticketFileError,
} from '@array-interface/core/backend';
import { addon, type OpenedFile } from '../addon.js';
import { HostMemory } from '../memory/memory.js';
import { environment, threadTickets } from './share.js';
import { form, HEADER_LENGTH, hashWith, NONCE_LENGTH, type Ticket } from './ticket.js';

/**
 * Opens a ticket, as `HostBackend.openShared` documents. The layout is proved to lie in the memory.
 */
export function openShared(
  backend: Backend,
  value: unknown,
  { user = environment.user() }: OpenSharedOptions,
): SharedArray<HostMemory> {
  const shared = threadTickets.open(value);
  if (shared !== null) {
    const memory = HostMemory.ofTicket(backend, shared);
    return { memory, descriptor: shared.describe(memory) };
  }
  const ticket = form.read(value);
  assertOtherProcess(ticket, pid);
  return arrayOfTicket(ticket, HostMemory.ofFile(backend, open(ticket, user)));
}

type Open = Extract<OpenedFile, { state: 'open' }>;

function open(ticket: Ticket, user: number): Open {
  const opened = addon().openShared(ticket.lease, HEADER_LENGTH, user);
  if (opened.state !== 'open') {
    throw ticketFileError(opened, user, 'a writable file of shareable memory that cannot shrink');
  }
  try {
    prove(ticket, opened);
    return opened;
  } catch (error) {
    addon().release(opened.handle);
    throw error;
  }
}

/**
 * Throws ERR_TICKET if the memory is not the ticket's, or if its sharer did not make the ticket.
 */
function prove(ticket: Ticket, { header, byteLength }: Open): void {
  assertFresh(ticket, header, 'memory');
  form.prove(ticket, hashWith(header.slice(NONCE_LENGTH)));
  if (ticket.byteLength === byteLength) return;
  throw ticketError(
    'ticket.byteLength',
    `the ${byteLength} bytes of the file, got ${ticket.byteLength}`,
    FORGED,
  );
}
