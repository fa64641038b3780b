import { createHash } from 'node:crypto';
import {
  isHex,
  isSize,
  LAYOUT_FIELDS,
  leaseFields,
  type SharedTicket,
  TicketForm,
} from '@array-interface/core/backend';

/**
 * An array that another process may open: plain data that JSON and structured clone carry, less
 * than a kilobyte for most arrays. Numbers count bytes. Handles are the driver's, in hexadecimal
 * digits. docs/sharing.md says how a process without this package opens one.
 */
export interface Ticket extends SharedTicket {
  /** What tells a ticket from other data. */
  readonly kind: 'array-interface/cuda';
  /** Version of the ticket. */
  readonly version: 1;
  /**
   * `/proc/PID/fd/N` of the sharer: a file that lists the tickets that hold, and locks the memory.
   */
  readonly lease: string;
  /** The device's UUID. */
  readonly device: string;
  /** The allocation's CUipcMemHandle. */
  readonly memory: string;
  /** The CUipcEventHandle after the sharer's work. */
  readonly ready: string;
  /** The CUipcEventHandle after the openers' work. */
  readonly back: string;
  /** Bytes of the allocation. */
  readonly byteLength: number;
  /** The SHA-256 of all other fields, as JSON of their list in their order. */
  readonly digest: string;
}

const form = new TicketForm<Ticket>({
  ...leaseFields('array-interface/cuda'),
  device: isHex(16),
  memory: isHex(64),
  ready: isHex(64),
  back: isHex(64),
  byteLength: isSize,
  ...LAYOUT_FIELDS,
});

/** A ticket with its digest. */
export function seal(body: Omit<Ticket, 'digest'>): Ticket {
  return form.seal(body, hash);
}

/** The value, if it has the form of a ticket and its own digest. Throws ERR_TICKET. */
export function readTicket(value: unknown): Ticket {
  const ticket = form.read(value);
  form.prove(ticket, hash);
  return ticket;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
