import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { show } from '../../errors/show.js';
import { withFallback } from '../../errors/with-fallback.js';
import { type Check, checkFlag } from '../../input/options.js';
import { deserialize } from '../../serialize/deserialize.js';
import { serialize } from '../../serialize/serialize.js';
import type { NodeRequire } from '../addon/trusted-path.js';
import type { Owner } from '../interface/array.js';
import type { Memory } from '../interface/memory.js';
import { assertUnmasked, isHex, ticketError } from './ticket.js';

/** An array that another thread of this process may open, as plain data. */
export interface ThreadTicket {
  /** Distinguishes a ticket from other data. */
  readonly kind: 'array-interface/thread';
  /** Version of the ticket. */
  readonly version: 1;
  /** The name of the backend that opens it. */
  readonly backend: string;
  /** 16 random bytes in hexadecimal digits that identify the ticket in this process. */
  readonly thread: string;
}

/** Options of `share`. */
export interface ShareOptions {
  /**
   * Restricts the ticket to threads of this process. Default: other processes may open it, too, if
   * they can.
   */
  readonly threadsOnly?: boolean;
}

/** The checks of `ShareOptions`. */
export const SHARE_OPTIONS: { readonly threadsOnly: Check } = { threadsOnly: checkFlag };

/** An addon's table of tickets, for all threads of the process. */
export interface TicketTable<Handle, Opened> {
  /**
   * Keeps memory for whoever takes the ticket. Returns false if the memory might end with this
   * thread.
   */
  addTicket(memory: Handle, token: string, text: string): boolean;
  /**
   * Takes the memory, for this thread, and the text. Returns null if the ticket no longer exists.
   */
  takeTicket(token: string): (Opened & { readonly text: string }) | null;
  /** Releases a ticket that was not taken. */
  endTicket(token: string): void;
  /** Lets this thread's tickets outlive it. */
  leaveTickets(): void;
}

/** What a backend stores about memory besides its array and its range, as JSON. */
type Facts = object;

/** Where memory lies. */
type MemoryRange = Pick<Memory, 'pointer' | 'allocation'>;

/** An opened ticket, and the range of its memory. */
export interface OpenedTicket<Opened, F> extends MemoryRange {
  /** The native memory. */
  readonly opened: Opened;
  /** What the sharer's backend stored about the memory. */
  readonly facts: F;
  /** Returns the array in its memory. */
  describe(memory: Memory): ArrayDescriptor;
}

/** The sharer's ticket: the data that is copied into messages, and the reference to the memory. */
class HeldTicket {
  readonly #end: () => void;

  constructor(fields: object, end: () => void) {
    Object.assign(this, fields);
    this.#end = end;
    Object.freeze(this);
  }

  dispose(): void {
    this.#end();
  }

  [Symbol.dispose](): void {
    this.#end();
  }
}

/** The sharer's own ticket. Keeps the memory until it is opened or disposed. */
export type Held<T extends object> = T & { readonly thread: string } & Owner;

/** The tickets of a backend that threads of the process open. */
export class ThreadTickets<Handle, Opened, F extends Facts> {
  readonly #backend: string;
  readonly #table: () => TicketTable<Handle, Opened>;
  readonly #environment: TicketEnvironment;
  #hasShared = false;

  /** `table` is called when there is a ticket. */
  constructor(
    backend: string,
    table: () => TicketTable<Handle, Opened>,
    environment: TicketEnvironment,
  ) {
    this.#backend = backend;
    this.#table = table;
    this.#environment = environment;
  }

  /**
   * Makes a ticket that keeps the memory until a thread opens it, it is disposed, or this thread is
   * terminated. `forProcesses` is what other processes read. Throws ERR_MASK, and ERR_TICKET for
   * memory that might end with this thread.
   */
  share<T extends object>(
    array: ArrayDescriptor,
    { pointer, allocation }: MemoryRange,
    memory: Handle | null,
    facts: F,
    forProcesses: T | null,
  ): Held<T | ThreadTicket> {
    assertUnmasked(array);
    const table = this.#table();
    const thread = this.#environment.newToken();
    const plain = serialize(replace(array, { stream: null, syclobj: null }));
    const first = String(allocation?.pointer ?? pointer);
    const text = JSON.stringify({ array: plain, first, byteLength: allocation?.byteLength, facts });
    if (memory === null || !table.addTicket(memory, thread, text)) throw this.#notOurs();
    if (!this.#hasShared) this.#environment.atWorkersEnd(() => table.leaveTickets());
    this.#hasShared = true;
    const body = forProcesses ?? {
      kind: 'array-interface/thread',
      version: 1,
      backend: this.#backend,
    };
    return new HeldTicket({ ...body, thread }, () => table.endTicket(thread)) as never;
  }

  /**
   * Opens a ticket of this process. Returns null if it is for other processes, or not a ticket at
   * all. Throws ERR_TICKET for a thread ticket that has ended.
   */
  open(value: unknown): OpenedTicket<Opened, F> | null {
    const { kind, backend, thread } = withFallback(() => partsOf(value), { kind: null } as Parts);
    const isForThreads = kind === 'array-interface/thread';
    if (isForThreads && backend !== this.#backend) throw anothers(this.#backend, backend);
    const opened = isHex(16)(thread) ? this.#table().takeTicket(thread as string) : null;
    if (opened === null && isForThreads) throw endedTicket();
    return opened && { opened, ...read(opened.text) };
  }

  #notOurs(): Error {
    const copy = `copy it with ${this.#backend}.array() and share the copy`;
    return ticketError(
      'array',
      `memory of the ${this.#backend} backend, got memory of a producer or of JavaScript, which may ` +
        'end with this thread',
      copy,
    );
  }
}

type Parts = { readonly [name in 'kind' | 'backend' | 'thread']?: unknown };

function partsOf(value: unknown): Parts {
  const { kind, backend, thread } = value as Parts;
  return { kind, backend, thread };
}

function read<F>(text: string): Omit<OpenedTicket<unknown, F>, 'opened'> {
  const { array, first, byteLength, facts } = JSON.parse(text);
  const pointer = BigInt(first);
  const allocation = byteLength === undefined ? null : { pointer, byteLength };
  const describe = (memory: Memory) => deserialize(array, { owner: memory });
  return { pointer, allocation, facts, describe };
}

function anothers(name: string, backend: unknown): Error {
  return ticketError(
    'ticket.backend',
    `a ticket of the ${name} backend, got one of ${show(backend)}`,
    'open it with the backend whose share() made it',
  );
}

/** Returns ERR_TICKET for a ticket that nobody in this process can open any more. */
export function endedTicket(): Error {
  return ticketError(
    'ticket.thread',
    'an unopened ticket of this process, got one that was opened or disposed of, whose ' +
      'thread was terminated, or that belongs to another process',
    'share the array once for each thread that opens it; other processes can open only ' +
      'CUDA device memory, and host memory made with { shareable: true }',
  );
}

/** What tickets need of Node. */
export interface TicketEnvironment {
  /** Returns 16 random bytes in hexadecimal digits. */
  readonly newToken: () => string;
  /**
   * Calls `end` when a worker exits by itself. Does not call it when the worker is terminated,
   * which calls no listeners. Never calls it on the main thread.
   */
  readonly atWorkersEnd: (end: () => void) => void;
  /** Returns the effective user of this process; 0 if the system has none. */
  readonly user: () => number;
}

/** Returns what tickets need, from Node's modules. */
export function ticketEnvironment(require: NodeRequire): TicketEnvironment {
  const process = require('node:process');
  return {
    newToken: () => require('node:crypto').randomBytes(16).toString('hex'),
    atWorkersEnd(end) {
      if (!require('node:worker_threads').isMainThread) process.once('exit', end);
    },
    user: () => process.geteuid?.() ?? 0,
  };
}
