import type { Allocation } from '../interface/device.js';
import { type BackendIdentity, Memory } from '../interface/memory.js';
import type { BackendQueue } from '../interface/queue.js';
import { assertOwnQueue } from './queue.js';

/** Memory on which no work is ever pending. */
export abstract class SynchronousMemory extends Memory {
  /** See `Memory.backend`. */
  readonly backend: BackendIdentity;
  /** See `Memory.allocation`. */
  readonly allocation: Allocation;
  /** See `Memory.pointer`. */
  readonly pointer: bigint;
  /** Kept alive as long as the memory. Null for memory that the backend allocated. */
  readonly producer: unknown;

  constructor(
    backend: BackendIdentity,
    allocation: Allocation,
    homeQueue: BackendQueue | null,
    producer: unknown = null,
  ) {
    super(homeQueue);
    this.backend = backend;
    this.allocation = Object.freeze({ ...allocation });
    this.pointer = allocation.pointer;
    this.producer = producer;
  }

  /** See `Memory.recordUse`. */
  recordUse(queue: BackendQueue): void {
    assertOwnQueue(this.backend, queue);
  }

  /** See `Memory.workEnded`. */
  protected async workEnded(): Promise<void> {}
}
