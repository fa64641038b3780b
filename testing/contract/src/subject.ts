import type { Backend } from '@array-interface/core';
import { beforeAll } from 'vitest';

/** A backend under test, and what the suite cannot find out through `Backend`. */
export interface Subject {
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
