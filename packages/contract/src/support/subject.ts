import type { Backend, BackendArray, BackendQueue } from '@array-interface/core';
import type { MemoryKind } from '@array-interface/core/backend';
import { beforeAll } from 'vitest';
import type { ContractCode } from '../kernels/kernels-of.js';

/** A backend under test, and what the suite cannot find out through `Backend`. */
export interface Subject {
  /** The backend itself. */
  readonly backend: Backend;
  /**
   * Counts the allocations that the backend has not freed yet. The suite polls it until the number
   * settles.
   */
  readonly liveAllocations: () => number;
  /** An address that belongs to no memory. Default: 0x1000, which is lower than any system maps. */
  readonly wildPointer?: bigint;
  /** How many random layouts are tried. Default: 100. */
  readonly runs?: number;
}

/** A backend for the whole contract. */
export interface BackendSubject extends Subject {
  /** Kinds of new memory that this process can access at any time, as `asTypedArray` requires. */
  readonly inPlace: readonly MemoryKind[];
  /**
   * The code of the contract's kernels for this backend. Omit it for backends named `cuda`, `sycl`
   * and `host`, whose code the contract has. Null if the backend runs no kernels; it must then
   * refuse all of them with ERR_KERNEL.
   */
  readonly kernels?: ContractCode | null;
  /**
   * Code of `axpy` for this backend that fails when it is built or run. Default: that of the contract
   * for `cuda`, `sycl` and `host`; for other backends, none, and tests of such launches are skipped.
   */
  readonly failing?: object;
  /**
   * Adds a number to each float32 of an array, as work that is still pending when the call returns.
   * For backends that run most work synchronously. Default: a launch of `axpy`.
   */
  readonly addLater?: (
    array: BackendArray,
    amount: number,
    queue: BackendQueue,
  ) => Promise<unknown>;
}

export function wildPointer(subject: Subject): bigint {
  return subject.wildPointer ?? 0x1000n;
}

/** Fails the suite once, with what to do, if the backend is not available. */
export function requireAvailable({ backend }: Subject): void {
  beforeAll(() => {
    const { availability } = backend;
    if (availability.available) return;
    const { reason, remedy } = availability;
    throw new Error(`the ${backend.name} backend cannot be tested here: ${reason}; ${remedy}`);
  });
}
