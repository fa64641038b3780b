import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { collect } from './collect.js';
import type { Subject } from './subject.js';

/** How long freed memory may stay pending, in milliseconds. */
const PATIENCE = 30_000;

/**
 * For a `describe` whose tests dispose of what they make. After each test as much memory is live as
 * before it, without a garbage collection. So a refused or failed call keeps nothing.
 */
export function keepsNothing({ backend, liveAllocations }: Subject): void {
  let before = 0;
  beforeAll(collect); // does not count what earlier tests left to the garbage collector
  beforeEach(async () => {
    await backend.synchronize();
    before = liveAllocations();
  });
  afterEach(async () => {
    await backend.synchronize();
    const live = () =>
      expect(liveAllocations(), 'memory that calls still keep').toBeLessThanOrEqual(before);
    await vi.waitFor(live, PATIENCE);
  });
}
