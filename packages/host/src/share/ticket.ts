import { createHmac } from 'node:crypto';
import {
  isSize,
  LAYOUT_FIELDS,
  leaseFields,
  type SharedTicket,
  TicketForm,
} from '@array-interface/core/backend';

/**
 * An array in host memory that another process may open: plain data that JSON and structured clone
 * carry, less than a kilobyte for most arrays. Numbers count bytes. docs/sharing.md says how a
 * process without this package opens one.
 */
export interface Ticket extends SharedTicket {
  /** What tells a ticket from other data. */
  readonly kind: 'array-interface/host';
  /** Version of the ticket. */
  readonly version: 1;
  /** `/proc/PID/fd/N` of the sharer: the file of the memory, after one page of 4096 bytes. */
  readonly lease: string;
  /** Bytes of the memory. */
  readonly byteLength: number;
  /**
   * The HMAC-SHA-256 of all other fields, as JSON of their list in their order. The key stands in
   * the file behind the nonce.
   */
  readonly digest: string;
}

/** How tickets of the host look. */
export const form: TicketForm<Ticket> = new TicketForm<Ticket>({
  ...leaseFields('array-interface/host'),
  byteLength: isSize,
  ...LAYOUT_FIELDS,
});

/** Characters of a nonce, and of the key behind it. */
export const NONCE_LENGTH = 32;
export const HEADER_LENGTH = 96;

/** The hash that only those who can read the file know. */
export const hashWith =
  (key: string) =>
  (text: string): string =>
    createHmac('sha256', key).update(text).digest('hex');
