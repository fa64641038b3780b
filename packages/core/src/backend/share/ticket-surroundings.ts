import type { NodeRequire } from '../addon/trusted-path.js';

/** What tickets need of Node. */
export interface TicketSurroundings {
  /** 16 random bytes in hexadecimal digits. */
  readonly newToken: () => string;
  /**
   * Calls it when a worker ends by itself, not when it is terminated, which calls no listeners. Never
   * calls it on the main thread.
   */
  readonly atWorkersEnd: (end: () => void) => void;
  /** The effective user of this process; 0 where the system has none. */
  readonly user: () => number;
}

/** Node, for tickets. */
export function ticketSurroundings(require: NodeRequire): TicketSurroundings {
  const process = require('node:process');
  return {
    newToken: () => require('node:crypto').randomBytes(16).toString('hex'),
    atWorkersEnd(end) {
      if (!require('node:worker_threads').isMainThread) process.once('exit', end);
    },
    user: () => process.geteuid?.() ?? 0,
  };
}
