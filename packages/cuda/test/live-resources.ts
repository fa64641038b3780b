import { returnsToZero } from '@array-interface/lifetimes';
import { addon } from '../src/addon.js';

/** The backend keeps a stream for each device, and the event of its last work; the simulator has two. */
const KEPT_STREAMS = 2;

// For every test file (vitest.config.ts): what it made is gone when it ends.
returnsToZero('cuda', () => {
  const { allocations, streams, events } = addon().liveCounts();
  return {
    allocations,
    streams: Math.max(0, streams - KEPT_STREAMS),
    events: Math.max(0, events - KEPT_STREAMS),
  };
});
