import { returnsToZero } from '@array-interface/lifetimes';
import { runtime } from '../src/runtime.js';

/** The backend keeps a queue for the default context, and that one the point behind its last work. */
const KEPT = 1;

// For every test file (vitest.config.ts): what it made is gone when it ends.
returnsToZero('sycl', () => {
  const { allocations, queues, events } = runtime().liveCounts();
  return { allocations, queues: Math.max(0, queues - KEPT), events: Math.max(0, events - KEPT) };
});
