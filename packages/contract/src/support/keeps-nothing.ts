import { afterEach, beforeAll, beforeEach } from 'vitest';
import { collect } from './collect.js';
import { liveMemory } from './live-memory.js';
import type { Subject } from './subject.js';

/**
 * For a `describe` whose tests dispose of what they make. After each test as much memory is live as
 * before it, without a garbage collection. So a refused or failed call keeps nothing.
 */
export function keepsNothing(subject: Subject): void {
  let goesBack: () => Promise<void>;
  beforeAll(collect); // does not count what earlier tests left to the garbage collector
  beforeEach(async () => {
    goesBack = await liveMemory(subject, { timeout: 30_000 });
  });
  afterEach(async () => {
    await subject.backend.synchronize();
    await goesBack();
  });
}
