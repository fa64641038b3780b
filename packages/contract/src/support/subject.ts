import type { Backend, BackendArray, BackendQueue } from '@array-interface/core';
import type { MemoryKind } from '@array-interface/core/backend';
import { beforeAll } from 'vitest';
import type { ContractCode } from '../kernels/kernels-of.js';

/** A backend under test, and what the suite cannot find out through `Backend`. */
export interface Subject {
  /** The backend itself. */
  readonly backend: Backend;
  /**
   * Allocations that the backend has not given back yet. The suite asks until the number settles.
   */
  readonly liveAllocations: () => number;
  /** An address that belongs to nobody; default 0x1000, below what any system maps. */
  readonly wildPointer?: bigint;
  /** How many random layouts are tried; default 100. */
  readonly runs?: number;
}

/** A backend under the whole contract. */
export interface BackendSubject extends Subject {
  /** Kinds of new memory that this process reaches at any time, as `asTypedArray` needs it. */
  readonly inPlace: readonly MemoryKind[];
  /**
   * The code of the contract's kernels for this backend. Left out for backends named `cuda`, `sycl` and
   * `host`, whose code the contract has. Null: the backend runs no kernels; it must then refuse them
   * all with ERR_KERNEL.
   */
  readonly kernels?: ContractCode | null;
  /**
   * Adds a number to each float32 of an array, as work that is still pending when the call returns.
   * For backends that do most work at once; default a launch of `axpy`.
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

/** Fails the suite once, with what to do, where the backend cannot be used here. */
export function requireAvailable({ backend }: Subject): void {
  beforeAll(() => {
    const { availability } = backend;
    if (availability.available) return;
    const { reason, remedy } = availability;
    throw new Error(`the ${backend.name} backend cannot be tested here: ${reason}; ${remedy}`);
  });
}
