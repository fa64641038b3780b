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
 * An array that another process may open. The ticket is plain data for JSON and structured clone,
 * less than a kilobyte for most arrays. Sizes are in bytes. Handles are the driver's, in
 * hexadecimal digits. docs/sharing.md describes how a process without this package opens one.
 */
export interface Ticket extends SharedTicket {
  /** Distinguishes tickets from other data. */
  readonly kind: 'array-interface/cuda';
  /** Version of the ticket format. */
  readonly version: 1;
  /**
   * Path `/proc/PID/fd/N` of the sharer's lease file, which lists the valid tickets and locks the
   * memory.
   */
  readonly lease: string;
  /** The device's UUID. */
  readonly device: string;
  /** The allocation's CUipcMemHandle. */
  readonly memory: string;
  /** The CUipcEventHandle of the event after the sharer's work. */
  readonly ready: string;
  /** The CUipcEventHandle of the event after the openers' work. */
  readonly back: string;
  /** Size of the allocation in bytes. */
  readonly byteLength: number;
  /** SHA-256 of all other fields, as a JSON list in their order. */
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

/** Returns a ticket with its digest. */
export function seal(body: Omit<Ticket, 'digest'>): Ticket {
  return form.seal(body, hash);
}

/** Returns the value if it has the form of a ticket and its digest matches. Throws ERR_TICKET. */
export function readTicket(value: unknown): Ticket {
  const ticket = form.read(value);
  form.prove(ticket, hash);
  return ticket;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
