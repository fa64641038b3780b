import { returnsToZero } from '@array-interface/lifetimes';
import { runtime } from '../../src/driver/runtime.js';
import { interposer } from './interposer.js';

// For every test file (vitest.config.ts): what it created is gone when it ends, by this library's
// counts and, if the tests run on the interposer, by those of the interposer.
returnsToZero('sycl', () => {
  const { allocations, cached: kept, queues, cachedQueues, events } = runtime().liveCounts();
  // The backend keeps a queue for each device, and the queue keeps the event after its last work.
  const devices = runtime().devices().length;
  const live = {
    allocations,
    queues: Math.max(0, queues - devices),
    events: Math.max(0, events - devices),
  };
  const given = interposer()?.live();
  if (given === undefined) return live;
  const blocks = given.device.blocks + given.shared.blocks + given.host.blocks;
  // Beside those that we count: memory is allocated with one of its own for each device.
  const uncounted = Math.max(0, given.queues - queues - cachedQueues - devices);
  // Cached memory keeps its context alive, even another library's.
  if (uncounted > 0) void runtime().releaseCached();
  return {
    ...live,
    'blocks that we do not count': Math.abs(blocks - allocations - kept),
    'events that we do not count': Math.abs(given.events - events),
    'queues that we do not count': uncounted,
  };
});
