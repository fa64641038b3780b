import { createHmac } from 'node:crypto';
import {
  isSize,
  LAYOUT_FIELDS,
  leaseFields,
  type SharedTicket,
  TicketForm,
} from '@array-interface/core/backend';

/**
 * A ticket for an array in host memory that another process may open. It is plain data, which JSON
 * and structured clone carry, and less than a kilobyte for most arrays. Numbers count bytes.
 * docs/sharing.md describes how a process without this package opens one.
 */
export interface Ticket extends SharedTicket {
  /** Tells a ticket from other data. */
  readonly kind: 'array-interface/host';
  /** The version of the ticket's format. */
  readonly version: 1;
  /**
   * The file of the memory, `/proc/PID/fd/N` of the sharer. The memory begins after one page of
   * 4096 bytes.
   */
  readonly lease: string;
  /** Bytes of the memory. */
  readonly byteLength: number;
  /**
   * The HMAC-SHA-256 of all other fields: of the JSON text of their list, in their order. The key
   * follows the nonce in the file.
   */
  readonly digest: string;
}

/** The format of the host's tickets. */
export const form: TicketForm<Ticket> = new TicketForm<Ticket>({
  ...leaseFields('array-interface/host'),
  byteLength: isSize,
  ...LAYOUT_FIELDS,
});

/** Characters of a nonce, and of the key behind it. */
export const NONCE_LENGTH = 32;
export const HEADER_LENGTH = 96;

/** Makes the hash that only those who can read the file can compute. */
export const hashWith =
  (key: string) =>
  (text: string): string =>
    createHmac('sha256', key).update(text).digest('hex');
