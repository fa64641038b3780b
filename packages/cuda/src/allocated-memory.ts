import type { Allocation, Event } from '@array-interface/core/backend';
import { type AllocationHandle, addon, type CudaMemoryKind } from './addon.js';
import type { CudaBackend } from './backend.js';
import { driver } from './driver.js';
import { CudaEvent } from './event.js';
import { CudaMemory } from './memory.js';
import type { Stream } from './stream.js';
import { isPending } from './streams.js';

/** A block of ours: given back in the background once its pending work has ended. */
export class AllocatedMemory extends CudaMemory {
  readonly backend: CudaBackend;
  readonly device: number;
  readonly memoryKind: CudaMemoryKind;
  readonly pointer: bigint;
  readonly allocation: Allocation;
  /** @internal */
  readonly handle: AllocationHandle;
  #loans: Event[] = [];

  /** Uninitialised bytes, at least one. Throws ERR_OUT_OF_MEMORY, ERR_CUDA. */
  constructor(
    backend: CudaBackend,
    device: number,
    memoryKind: CudaMemoryKind | 'staging',
    byteLength: number,
    home: Stream | null = null,
  ) {
    const { handle, pointer } = driver().allocate(device, memoryKind, byteLength);
    super({ homeQueue: home });
    this.backend = backend;
    this.device = device;
    this.memoryKind = memoryKind === 'staging' ? 'host' : memoryKind;
    this.pointer = pointer;
    this.allocation = Object.freeze({ pointer, byteLength });
    this.handle = handle;
  }

  /** Keeps the block until work on a loan of it, made through an interface dict, has ended. @internal */
  endLoan(pending: readonly Event[]): void {
    this.#loans = [...this.#loans.filter(isPending), ...pending];
    this.release();
  }

  protected free(pending: readonly Event[]): void {
    const events = [...pending, ...this.#loans.splice(0)].filter(
      (event) => event instanceof CudaEvent,
    );
    addon().free(this.handle, ...events.map((event) => event.handle));
    this.backend.forget(this);
  }
}
