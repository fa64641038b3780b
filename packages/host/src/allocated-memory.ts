import type { ArrayDescriptor } from '@array-interface/core';
import { type Allocation, type Backend, Memory, type Queue } from '@array-interface/core/backend';
import { addon, type LeaseHandle } from './addon.js';

/** Memory of this package's own allocator. */
export class AllocatedMemory extends Memory {
  readonly backend: Backend;
  readonly pointer: bigint;
  readonly allocation: Allocation;
  readonly #lease: LeaseHandle;

  /** Throws ERR_OUT_OF_MEMORY. */
  constructor(backend: Backend, byteLength: number, homeQueue: Queue | null) {
    super({ homeQueue });
    const { handle, pointer } = addon().allocate(byteLength);
    this.backend = backend;
    this.pointer = pointer;
    this.allocation = { pointer, byteLength };
    this.#lease = handle;
  }

  override onHost(array: ArrayDescriptor): ArrayDescriptor {
    return array;
  }

  protected free(): void {
    addon().release(this.#lease);
  }
}
