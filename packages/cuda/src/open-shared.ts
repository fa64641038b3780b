import { type ArrayDescriptor, fromCudaArrayInterface } from '@array-interface/core';
import type { CudaBackend } from './backend.js';
import { driver } from './driver.js';
import { CudaEvent } from './event.js';
import type { TenancyHandle } from './native.js';
import { OpenedMemory } from './opened-memory.js';
import { FORGED, readTicket, type Ticket, ticketError } from './ticket.js';

/** See `CudaBackend.openShared`; the layout lies in the memory, which nobody holds yet. */
export function openShared(
  backend: CudaBackend,
  value: unknown,
): { readonly memory: OpenedMemory; readonly descriptor: ArrayDescriptor } {
  const ticket = readTicket(value);
  const native = driver();
  const device = native.devices().findIndex(({ uuid }) => uuid === ticket.device);
  if (device < 0) {
    throw ticketError(
      'ticket.device',
      `a ticket of a device of this process, got one of ${ticket.device}`,
      'let both processes see the device (CUDA_VISIBLE_DEVICES)',
    );
  }
  const memory = open(backend, ticket, device);
  try {
    return { memory, descriptor: layout(ticket, memory) };
  } catch (error) {
    memory.retain(); // nobody has held it yet
    memory.release();
    throw error;
  }
}

function open(backend: CudaBackend, ticket: Ticket, device: number): OpenedMemory {
  const native = driver();
  const tenancy = enter(ticket);
  try {
    const event = (handle: string) => new CudaEvent(native.openEvent(device, handle), false);
    const [ready, back] = [event(ticket.ready), event(ticket.back)];
    const made = native.openMemory(device, ticket.memory, ticket.byteLength, tenancy);
    return new OpenedMemory(backend, { made, tenancy, ready, back }, device, ticket.byteLength);
  } catch (error) {
    native.leaveLease(tenancy);
    throw error;
  }
}

/** Takes part in the lease, so that the sharer keeps the memory from now on. */
function enter(ticket: Ticket): TenancyHandle {
  const { state, text, tenancy } = driver().openLease(ticket.lease);
  const refusal = refuse(ticket, state, text);
  if (refusal === null) return tenancy;
  driver().leaveLease(tenancy);
  throw refusal;
}

function refuse({ lease, nonce, digest }: Ticket, state: string, text: string): Error | null {
  if (state === 'foreign') {
    return ticketError('ticket.lease', 'the file of a lease, got another or a stale one', FORGED);
  }
  if (state === 'ended') {
    return ticketError(
      'ticket.lease',
      'a ticket of memory that is still there, got a stale one: its sharer ended, gave the memory ' +
        'back, or is another user',
      'keep the array until the other process has opened it, and share it again',
    );
  }
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
  if (!lease.startsWith(`/proc/${process.pid}/`)) return null;
  return ticketError(
    'ticket.lease',
    "another process's ticket, got one of its own process",
    'use the array itself, or in another thread its __cuda_array_interface__',
  );
}

function layout(ticket: Ticket, memory: OpenedMemory): ArrayDescriptor {
  const { shape, byteStrides, typestr, descr, readOnly, offset } = ticket;
  const data: [bigint, boolean] = [memory.pointer + BigInt(offset), readOnly];
  const dict = { shape, strides: byteStrides, typestr, data, version: 3 };
  const array = fromCudaArrayInterface(descr === null ? dict : { ...dict, descr }, {
    owner: memory,
  });
  memory.assertHolds(array, 'ticket');
  return array;
}
