import { mismatch } from '../../errors/mismatch.js';
import { throwIfAborted } from '../../input/abort.js';
import type { BackendIdentity } from '../interface/memory.js';
import {
  BackendQueue,
  notAnEvent,
  type QueueEvent,
  readSignal,
  type WaitOptions,
} from '../interface/queue.js';

/** Work has ended when it returns, so every event is complete. */
const complete: QueueEvent = Object.freeze({
  query: () => true,
  async synchronize(options: WaitOptions = {}) {
    throwIfAborted(readSignal(options));
  },
  synchronizeSync() {},
});

/** A queue of a backend whose work has ended when the call that asked for it returns. */
export class SynchronousQueue extends BackendQueue {
  /** The backend that it belongs to. */
  readonly backend: BackendIdentity;
  /** See `BackendQueue.device`. */
  readonly device = 0;
  /** See `BackendQueue.handle`. */
  readonly handle = 0n;

  constructor(backend: BackendIdentity) {
    super();
    this.backend = backend;
  }

  /** See `BackendQueue.record`. */
  record(): QueueEvent {
    this.assertEnqueued();
    return complete;
  }

  /** Returns, since every event is complete. Throws ERR_ARGUMENT for another backend's event. */
  wait(event: QueueEvent): void {
    if (event === complete) return;
    throw notAnEvent(`an event of the ${this.backend.name} backend`, event);
  }

  /** There is no native queue. */
  protected destroy(): void {}
}

/** Throws ERR_ARGUMENT for a queue of another backend. */
export function assertOwnQueue(backend: BackendIdentity, queue: BackendQueue): void {
  if (queue instanceof SynchronousQueue && queue.backend === backend) return;
  throw mismatch(
    'ERR_ARGUMENT',
    'queue',
    `a queue of the ${backend.name} backend`,
    'another',
    'use the backend of the queue',
  );
}

/** Throws ERR_ARGUMENT for any device but 0. */
export function assertOnlyDevice(backend: BackendIdentity, device = 0): void {
  if (device === 0) return;
  const expected = `device 0, the only one of the ${backend.name} backend`;
  throw mismatch('ERR_ARGUMENT', 'device', expected, device);
}
