import { randomBytes } from 'node:crypto';
import { isMainThread } from 'node:worker_threads';
import type { TicketSurroundings } from '@array-interface/core/backend';

/** Node, for tickets that threads open. A worker that is terminated calls no listeners. */
export const surroundings: TicketSurroundings = {
  newToken: () => randomBytes(16).toString('hex'),
  atWorkersEnd(end) {
    if (!isMainThread) process.once('exit', end);
  },
};
