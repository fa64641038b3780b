import { mismatch } from '../../errors/mismatch.js';
import { type Checks, checkThat } from '../../input/options.js';
import { endedTicket } from './thread-ticket.js';
import { FORGED, type SharedTicket, ticketError } from './ticket.js';

/** Options of `openShared`. */
export interface OpenSharedOptions {
  /**
   * The number of the user whose processes made the ticket. The opener trusts that user with its
   * memory. Default: the effective user of this process. Root, too, opens only its own tickets,
   * unless this names another user. Thread tickets need no user.
   */
  readonly user?: number;
}

const isUser = (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32 - 1;

/** The checks of `OpenSharedOptions`. */
export const OPEN_SHARED_OPTIONS: Checks<OpenSharedOptions> = {
  user: checkThat(isUser, 'a user ID, as process.geteuid() returns it'),
};

/** What an addon found at the path of a ticket's file. */
export interface TicketFile {
  /**
   * `thread`: the path names a thread's number. `another's`: the file does not belong to the user
   * whom the opener trusts. `foreign`: no ticket is made of such a file.
   */
  readonly state: 'open' | 'ended' | 'foreign' | 'thread' | "another's";
  /** The owner of the file, if it was examined. */
  readonly owner: number;
}

/**
 * Returns ERR_TICKET for a file that is not open. `expected` is what the file had to be, `user` its
 * owner.
 */
export function ticketFileError(
  { state, owner }: TicketFile,
  user: number,
  expected: string,
): Error {
  if (state === "another's") {
    return mismatch(
      'ERR_TICKET',
      'ticket.lease',
      `a ticket made by a process of user ${user}`,
      `one made by user ${owner}`,
      `let both processes run as one user, or, if you trust user ${owner} with this process's memory, ` +
        `pass { user: ${owner} } to openShared`,
    );
  }
  if (state === 'foreign') {
    return ticketError('ticket.lease', `${expected}, got another or a stale one`, FORGED);
  }
  if (state === 'thread') {
    return ticketError('ticket.lease', "the sharer's process ID, got the ID of a thread", FORGED);
  }
  return ticketError(
    'ticket.lease',
    'a ticket of memory that still exists, got a stale one: its sharer ended, freed the memory, ' +
      'or is another user',
    'keep the array until the other process has opened it, and share it again',
  );
}

/** Throws ERR_TICKET for a ticket that this process made, unless a thread opens it. */
export function assertOtherProcess({ lease }: SharedTicket, pid: number): void {
  if (lease.startsWith(`/proc/${pid}/`)) throw endedTicket();
}

/** Throws ERR_TICKET if the ticket's path leads to a later file. `what` is what the file is for. */
export function assertFresh({ nonce }: SharedTicket, content: string, what: string): void {
  if (content.startsWith(nonce)) return;
  throw ticketError(
    'ticket.lease',
    `the ${what} that the ticket was made with, got a stale ticket, whose file was replaced by another`,
    'share the array again',
  );
}
