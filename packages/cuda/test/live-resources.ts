import { returnsToZero } from '@array-interface/lifetimes';
import { addon } from '../src/addon.js';

/** The backend keeps a stream for each device; the simulator has two. */
const KEPT_STREAMS = 2;

// For every test file (vitest.config.ts): what it made is gone when it ends.
returnsToZero('cuda', () => {
  const { allocations, streams } = addon().liveCounts();
  return { allocations, streams: Math.max(0, streams - KEPT_STREAMS) };
});
