import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import { replace } from '../../descriptor/descriptor.js';
import { ArrayInterfaceError } from '../../errors/error.js';
import { mismatch } from '../../errors/mismatch.js';
import { show } from '../../errors/show.js';
import { withFallback } from '../../errors/with-fallback.js';
import { fromArrayInterface, toArrayInterface } from '../../protocols/host.js';
import type { Memory } from '../interface/memory.js';

/** An array that a ticket opened, and its memory. */
export interface SharedArray<M extends Memory> {
  /** The memory that the ticket opened. */
  readonly memory: M;
  /** The array in it. */
  readonly descriptor: ArrayDescriptor;
}

/** Location and dtype of the elements of a shared array in its memory, as plain data. */
export interface SharedLayout {
  /** Bytes from the memory's first byte to the element with all-zero indices. */
  readonly offset: number;
  /** Lengths of the axes. */
  readonly shape: readonly number[];
  /** Bytes from one element to the next along each axis. */
  readonly byteStrides: readonly number[];
  /** The dtype of the elements, as a typestr. */
  readonly typestr: string;
  /** Fields of a record, as NumPy writes them, or null. */
  readonly descr: unknown;
  /** Whether the array must not be written. */
  readonly readOnly: boolean;
}

/** The fields of every ticket: an array that another process may open, as plain data. */
export interface SharedTicket extends SharedLayout {
  /** Distinguishes a ticket from other data. */
  readonly kind: string;
  /** `/proc/PID/fd/N` of the sharer: a file that only the sharer's memory has. */
  readonly lease: string;
  /**
   * 16 random bytes at the start of the file. They keep a later process's file from being taken for
   * it.
   */
  readonly nonce: string;
  /** Digest that authenticates the fields above. */
  readonly digest: string;
  /** Token by which a thread of the sharer's process opens the ticket. The digest omits it. */
  readonly thread?: string;
}

type Body<T> = Omit<T, 'digest' | 'thread'>;
type FieldChecks<T> = { readonly [Field in keyof Body<T>]-?: (value: unknown) => boolean };

/** Accepts this many bytes, as hexadecimal digits. */
export const isHex =
  (byteLength: number) =>
  (value: unknown): boolean =>
    typeof value === 'string' && value.length === 2 * byteLength && /^[0-9a-f]*$/.test(value);

/** Accepts a non-negative safe integer. */
export const isSize = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const isIntegers = (value: unknown) => Array.isArray(value) && value.every(Number.isSafeInteger);

/** Checks of the fields that every ticket begins with. */
export const leaseFields = (
  kind: string,
): FieldChecks<Pick<SharedTicket, 'kind' | 'lease' | 'nonce'> & { version: 1 }> => ({
  kind: (value) => value === kind,
  version: (value) => value === 1,
  lease: (value) => typeof value === 'string' && /^\/proc\/\d{1,10}\/fd\/\d{1,10}$/.test(value),
  nonce: isHex(16),
});

/** Checks of the fields that every ticket ends with, except the digest. */
export const LAYOUT_FIELDS: FieldChecks<SharedLayout> = {
  offset: isSize,
  shape: isIntegers,
  byteStrides: isIntegers,
  typestr: (value) => typeof value === 'string',
  descr: (value) => value === null || Array.isArray(value),
  readOnly: (value) => typeof value === 'boolean',
};

/** The cure for an invalid ticket. */
export const FORGED = 'pass on what share() returned, unchanged';

/** Returns ERR_TICKET, with what was expected, what was found, and what to do. */
export function ticketError(
  path: string,
  expectedAndGot: string,
  cure: string,
): ArrayInterfaceError {
  return new ArrayInterfaceError('ERR_TICKET', path, `expected ${expectedAndGot}; ${cure}`);
}

/**
 * The form of one kind of ticket: its fields, in the order in which the digest reads them. The
 * digest is a hash of all other fields, as compact JSON of their list; the backend computes the
 * hash.
 */
export class TicketForm<T extends SharedTicket> {
  readonly #checks: FieldChecks<T>;

  constructor(checks: FieldChecks<T>) {
    this.#checks = checks;
  }

  /** Returns a ticket of these fields, in the form's order. */
  seal(body: Body<T>, hash: (text: string) => string): T {
    return Object.freeze({ ...body, digest: hash(this.#text(body)) }) as T;
  }

  /** Returns a copy of a value that has this form, as plain data. Throws ERR_TICKET. */
  read(value: unknown): T {
    if (typeof value !== 'object' || value === null) {
      throw ticketError('ticket', `a ticket that share() made, got ${show(value)}`, FORGED);
    }
    const names = Object.keys(this.#checks) as (keyof Body<T>)[];
    const copied = withFallback(() => copyOf(value as T, names, (body) => this.#text(body)), null);
    if (copied === null) {
      throw ticketError(
        'ticket',
        'a ticket that share() made, got one that cannot be read',
        FORGED,
      );
    }
    const wrong = names.find((name) => !this.#checks[name](copied[name])) ?? 'digest';
    if (wrong === 'digest' && isHex(32)(copied.digest)) return copied;
    throw ticketError(
      `ticket.${String(wrong)}`,
      `a ticket that share() of this backend made, got ${show(copied[wrong])} here`,
      wrong === 'kind' ? 'open it with the backend whose share() made it' : FORGED,
    );
  }

  /** Throws ERR_TICKET if the digest of the fields differs from the ticket's own. */
  prove(ticket: T, hash: (text: string) => string): void {
    if (ticket.digest === hash(this.#text(ticket))) return;
    throw ticketError('ticket.digest', 'a ticket as share() made it, got an altered one', FORGED);
  }

  #text(body: Body<T>): string {
    return JSON.stringify(Object.keys(this.#checks).map((name) => body[name as keyof Body<T>]));
  }
}

/** Returns the fields, each read once, as JSON stores them. */
function copyOf<T extends SharedTicket>(
  value: T,
  names: readonly (keyof Body<T>)[],
  textOf: (body: Body<T>) => string,
): T {
  const values: unknown[] = JSON.parse(textOf(value));
  const fields = Object.fromEntries(names.map((name, index) => [name, values[index]]));
  return { ...fields, digest: value.digest } as T;
}

/** Throws ERR_MASK for an array with a mask. */
export function assertUnmasked(array: ArrayDescriptor): void {
  if (array.mask === null) return;
  throw mismatch(
    'ERR_MASK',
    'array.mask',
    'an array without a mask',
    'a masked one',
    'share its data and mask separately',
  );
}

/** Returns the location of an array in a memory, for a ticket. Throws ERR_MASK. */
export function sharedLayout(array: ArrayDescriptor, memory: Memory): SharedLayout {
  assertUnmasked(array);
  const { typestr, descr } = toArrayInterface(replace(array, { stream: null, syclobj: null }));
  return {
    offset: array.size === 0 ? 0 : Number(array.pointer - memory.pointer),
    shape: [...array.shape],
    byteStrides: [...array.byteStrides],
    typestr,
    descr: descr ?? null,
    readOnly: array.readOnly,
  };
}

/**
 * Returns the array of a ticket in the memory that the ticket opened. Throws ERR_TICKET if it is
 * not an array, or exceeds the memory.
 */
export function openLayout(layout: SharedLayout, memory: Memory): ArrayDescriptor {
  try {
    return layoutWithin(layout, memory);
  } catch (error) {
    throw new ArrayInterfaceError(
      'ERR_TICKET',
      'ticket',
      `expected a layout within the ticket's memory of ${memory.allocation?.byteLength} bytes, got ` +
        `an invalid one (${(error as ArrayInterfaceError).code}); ${FORGED}`,
      { cause: error },
    );
  }
}

/**
 * Returns the array of a ticket with the memory that the ticket opened. If that throws, the memory
 * has ended.
 */
export function arrayOfTicket<M extends Memory>(layout: SharedLayout, memory: M): SharedArray<M> {
  try {
    return { memory, descriptor: openLayout(layout, memory) };
  } catch (error) {
    memory.end();
    throw error;
  }
}

function layoutWithin(layout: SharedLayout, memory: Memory): ArrayDescriptor {
  const { shape, byteStrides, typestr, descr, readOnly, offset } = layout;
  const data: [bigint, boolean] = [memory.pointer + BigInt(offset), readOnly];
  const dict = { shape, strides: byteStrides, typestr, data, version: 3 };
  const array = fromArrayInterface(descr === null ? dict : { ...dict, descr });
  const opened = replace(array, { owner: memory });
  memory.assertHolds(opened, 'ticket');
  return opened;
}
