import { createRequire } from 'node:module';
import type { ArrayDescriptor } from '@array-interface/core';
import {
  assertUnmasked,
  type Held,
  insteadOfOwnArray,
  internals,
  memoryOf,
  type ShareOptions,
  sharedLayout,
  type ThreadTicket,
  ThreadTickets,
  type TicketEnvironment,
  ticketEnvironment,
  ticketError,
} from '@array-interface/core/backend';
import { addon, type LeaseHandle, modulePath, type OpenedLease } from '../addon.js';
import { HostArray } from '../memory/array.js';
import type { HostFacts, HostMemory, SharedFile } from '../memory/memory.js';
import { assertAtRest } from '../order/pending-work.js';
import { form, HEADER_LENGTH, hashWith, NONCE_LENGTH, type Ticket } from './ticket.js';

const COPY =
  'copy it with host.array(array), or with host.array(array, { shareable: true }) for other processes';

/** What tickets need from Node. */
export const environment: TicketEnvironment = ticketEnvironment(createRequire(modulePath));

/** The tickets that threads open. */
export const threadTickets: ThreadTickets<LeaseHandle, OpenedLease, HostFacts> = new ThreadTickets(
  'host',
  addon,
  environment,
);

/** Makes a ticket, as `HostBackend.share` documents. */
export function share(
  array: HostArray,
  { threadsOnly = false }: ShareOptions,
): Held<Ticket | ThreadTicket> {
  if (!(array instanceof HostArray)) {
    const { got, cure = COPY } = insteadOfOwnArray(array, 'host');
    const isCopied = ArrayBuffer.isView(array) || memoryOf(array) !== null;
    throw ticketError('array', `an array of the host backend, got ${got}`, isCopied ? COPY : cure);
  }
  const { descriptor } = array;
  const memory = array.memory as HostMemory;
  internals(memory).assertLive('array');
  assertUnmasked(descriptor);
  assertAtRest(memory, descriptor);
  const { file } = memory;
  const isForProcesses = !threadsOnly && file !== null && file !== 'opened';
  const ticket = isForProcesses ? ticketOf(descriptor, memory, file) : null;
  return threadTickets.share(descriptor, memory, memory.lease, memory.facts, ticket);
}

/** The part of the ticket that other processes read. */
function ticketOf(
  array: ArrayDescriptor,
  memory: HostMemory,
  { path, header }: SharedFile,
): Ticket {
  const body = {
    kind: 'array-interface/host',
    version: 1,
    lease: path,
    nonce: header.slice(0, NONCE_LENGTH),
    byteLength: memory.allocation?.byteLength ?? 0,
    ...sharedLayout(array, memory),
  } as const;
  return form.seal(body, hashWith(header.slice(NONCE_LENGTH, HEADER_LENGTH)));
}
