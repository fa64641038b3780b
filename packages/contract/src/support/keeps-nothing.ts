import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { collect } from './collect.js';
import type { Subject } from './subject.js';

/** How long memory may take on its way back. */
const PATIENCE = 30_000;

/**
 * For a `describe` whose tests dispose of what they make: as much memory is live after each as before, and
 * no garbage was collected for that. So a refused or failed call keeps nothing.
 */
export function keepsNothing({ backend, liveAllocations }: Subject): void {
  let before = 0;
  beforeAll(collect); // what tests before these left to it is none of theirs
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
