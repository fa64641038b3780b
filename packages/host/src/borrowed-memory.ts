import type { ArrayDescriptor } from '@array-interface/core';
import { type Allocation, type Backend, Memory } from '@array-interface/core/backend';
import { addon, type LeaseHandle } from './addon.js';

/** What a foreign producer gave, as it was found. */
export interface Loan {
  /** Kept alive as long as the memory is used. */
  readonly producer: unknown;
  readonly pointer: bigint;
  /** The range that was proved to exist; null: the caller trusts the producer. */
  readonly allocation: Allocation | null;
  readonly writable: boolean;
  /** Set when the address lies in memory of our own allocator, which then stays as long as we. */
  readonly lease: LeaseHandle | null;
}

/** System memory of a foreign producer. */
export class BorrowedMemory extends Memory {
  readonly backend: Backend;
  readonly pointer: bigint;
  readonly allocation: Allocation | null;
  /** Whether the pages may be written, whatever the producer says. */
  readonly writable: boolean;
  #loan: Loan | null;

  constructor(backend: Backend, loan: Loan) {
    super();
    this.backend = backend;
    this.pointer = loan.pointer;
    this.allocation = loan.allocation;
    this.writable = loan.writable;
    this.#loan = loan;
  }

  override onHost(array: ArrayDescriptor): ArrayDescriptor {
    return array;
  }

  protected free(): void {
    const lease = this.#loan?.lease ?? null;
    if (lease !== null) addon().release(lease);
    this.#loan = null;
  }
}
