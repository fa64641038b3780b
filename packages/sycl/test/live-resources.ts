import { returnsToZero } from '@array-interface/lifetimes';
import { runtime } from '../src/runtime.js';

// For every test file (vitest.config.ts): what it made is gone when it ends.
returnsToZero('sycl', () => {
  const { allocations, queues, events } = runtime().liveCounts();
  // The backend keeps a queue for each device, and that one the point behind its last work.
  const kept = runtime().devices().length;
  return { allocations, queues: Math.max(0, queues - kept), events: Math.max(0, events - kept) };
});
