import { returnsToZero } from '@array-interface/lifetimes';
import { addon } from '../src/addon.js';

/** The backend keeps a stream for each device; the simulator has two. */
const KEPT_STREAMS = 2;
/** And the point behind the last work of each, as of some streams that ended (src/streams.ts). */
const KEPT_EVENTS = KEPT_STREAMS + 64;

// For every test file (vitest.config.ts): what it made is gone when it ends.
returnsToZero('cuda', () => {
  const { allocations, streams, events } = addon().liveCounts();
  return {
    allocations,
    streams: Math.max(0, streams - KEPT_STREAMS),
    events: Math.max(0, events - KEPT_EVENTS),
  };
});
