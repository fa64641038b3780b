import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import type { BackendQueue } from './queue.js';

/**
 * Throws ERR_ARGUMENT for what is no queue, ERR_DISPOSED for an ended one. The backend checks whose
 * it is.
 */
export function checkQueue(queue: BackendQueue | undefined): void {
  if (queue === undefined) return;
  if (typeof queue?.assertLive !== 'function') {
    throw mismatch('ERR_ARGUMENT', 'queue', 'a queue', show(queue), 'make one with createQueue()');
  }
  queue.assertLive();
}
