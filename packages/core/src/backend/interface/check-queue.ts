import { mismatch } from '../../errors/mismatch.js';
import { show } from '../../errors/show.js';
import { BackendQueue } from './queue.js';

/**
 * Throws ERR_ARGUMENT for what is no queue, ERR_DISPOSED for an ended one. The backend checks whose
 * it is.
 */
export function checkQueue(value: unknown): void {
  if (!BackendQueue.is(value)) {
    throw mismatch('ERR_ARGUMENT', 'queue', 'a queue', show(value), 'make one with createQueue()');
  }
  value.assertLive();
}
