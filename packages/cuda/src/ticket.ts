import { createHash } from 'node:crypto';
import { ArrayInterfaceError } from '@array-interface/core';
import { show } from '@array-interface/core/backend';

/**
 * An array that another process may open: plain data that JSON and structured clone carry, less
 * than a kilobyte for most arrays. Numbers count bytes. Handles are the driver's, in hexadecimal
 * digits. docs/synchronisation.md says how a process without this package opens one.
 */
export interface Ticket {
  /** What tells a ticket from other data. */
  readonly kind: 'array-interface/cuda';
  /** Version of the ticket. */
  readonly version: 1;
  /**
   * `/proc/PID/fd/N` of the sharer: a file that lists the tickets that hold, and locks the memory.
   */
  readonly lease: string;
  /** 16 random bytes with which the file begins, so that no later process has a file with them. */
  readonly nonce: string;
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
  /** From the allocation's first byte to the element with all-zero indices. */
  readonly offset: number;
  /** Lengths of the axes. */
  readonly shape: readonly number[];
  /** In bytes. */
  readonly byteStrides: readonly number[];
  /** What one element is. */
  readonly typestr: string;
  /** Fields of a record, as NumPy writes them, or null. */
  readonly descr: unknown;
  /** Whether the array must not be written. */
  readonly readOnly: boolean;
  /** The SHA-256 of all fields above, as JSON of their list in this order. */
  readonly digest: string;
}

const isBytes = (count: number) => (value: unknown) =>
  typeof value === 'string' && value.length === 2 * count && /^[0-9a-f]*$/.test(value);
const isSize = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isIntegers = (value: unknown) => Array.isArray(value) && value.every(Number.isSafeInteger);

/** All fields but the digest, in the order in which the digest takes them. */
const FIELDS: Readonly<Record<keyof Omit<Ticket, 'digest'>, (value: unknown) => boolean>> = {
  kind: (value) => value === 'array-interface/cuda',
  version: (value) => value === 1,
  lease: (value) => typeof value === 'string' && /^\/proc\/\d{1,10}\/fd\/\d{1,10}$/.test(value),
  nonce: isBytes(16),
  device: isBytes(16),
  memory: isBytes(64),
  ready: isBytes(64),
  back: isBytes(64),
  byteLength: isSize,
  offset: isSize,
  shape: isIntegers,
  byteStrides: isIntegers,
  typestr: (value) => typeof value === 'string',
  descr: (value) => value === null || Array.isArray(value),
  readOnly: (value) => typeof value === 'boolean',
};

type Body = Omit<Ticket, 'digest'>;

/** A ticket with its digest. */
export function seal(body: Body): Ticket {
  return Object.freeze({ ...body, digest: digestOf(body) });
}

/** The value, if it has the form of a ticket and its own digest. Throws ERR_TICKET. */
export function readTicket(value: unknown): Ticket {
  if (typeof value !== 'object' || value === null) {
    throw ticketError('ticket', `a ticket that share() made, got ${show(value)}`, FORGED);
  }
  const ticket = copyOf(value as Ticket);
  for (const [field, isField] of Object.entries(FIELDS)) {
    if (isField(ticket[field as keyof Ticket])) continue;
    throw ticketError(
      `ticket.${field}`,
      'a ticket that share() made, got one of another form',
      FORGED,
    );
  }
  if (ticket.digest === digestIfAny(ticket)) return ticket;
  throw ticketError('ticket.digest', 'a ticket as share() made it, got an altered one', FORGED);
}

/** The fields, each read once. Throws ERR_TICKET. */
function copyOf(value: Ticket): Ticket {
  try {
    const names = Object.keys(FIELDS) as (keyof Ticket)[];
    const fields = names.map((name) => [name, value[name]]);
    return { ...Object.fromEntries(fields), digest: value.digest } as Ticket;
  } catch {
    throw ticketError('ticket', 'a ticket that share() made, got one that cannot be read', FORGED);
  }
}

/** The digest that belongs to the fields; null for a `descr` of which there is no JSON. */
function digestIfAny(ticket: Ticket): string | null {
  try {
    return digestOf(ticket);
  } catch {
    return null;
  }
}

export const FORGED = 'pass on what share() gave, unchanged';

export function ticketError(
  path: string,
  expectedAndGot: string,
  cure: string,
): ArrayInterfaceError {
  return new ArrayInterfaceError('ERR_TICKET', path, `expected ${expectedAndGot}; ${cure}`);
}

function digestOf(body: Body): string {
  const fields = Object.keys(FIELDS).map((field) => body[field as keyof Body]);
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
