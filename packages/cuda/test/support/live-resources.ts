import { cuda } from '@array-interface/cuda';
import { returnsToZero } from '@array-interface/lifetimes';
import { addon } from '../../src/addon.js';
import { isSimulated } from './driver-under-test.js';
import { probe } from './probe.js';

/** The backend keeps a stream for each device; the simulator has two. */
const KEPT_STREAMS = 2;

// For every test file (vitest.config.ts): what it created is gone when it ends, by this library's own
// counts and by those of the simulator, which also counts what other libraries left.
returnsToZero('cuda', () => {
  if (!cuda.availability.available) return {};
  void cuda.synchronize().catch(() => {}); // polls the events of streams that ended
  void cuda.releaseCached();
  const ours = addon().liveCounts();
  const streams = Math.max(0, ours.streams - KEPT_STREAMS);
  // The event after the last work of each cached stream.
  const events = Math.max(0, ours.events - KEPT_STREAMS);
  const left = { allocations: ours.allocations, streams, events };
  return isSimulated ? { ...left, ...uncounted(ours), ...refused() } : left;
});

/** Functions that release something, and fail if it was released before. */
const ENDS = [
  ...['cuMemFree', 'cuMemFreeAsync', 'cuMemFreeHost', 'cuMemHostUnregister', 'cuIpcCloseMemHandle'],
  ...['cuEventDestroy', 'cuStreamDestroy', 'cuModuleUnload', 'cuLibraryUnload'],
];

function refused() {
  return Object.fromEntries(ENDS.map((name) => [`refused calls of ${name}`, probe.refused(name)]));
}

/** What the driver has and we do not count, or count and the driver does not have. */
function uncounted(ours: ReturnType<ReturnType<typeof addon>['liveCounts']>) {
  const apart = (kind: 'allocations' | 'streams' | 'events', count: number) =>
    Math.abs(probe.live(kind) - count);
  return {
    'allocations of the driver that we do not count': apart(
      'allocations',
      ours.allocations + ours.cached,
    ),
    'streams of the driver that we do not count': apart('streams', ours.streams),
    'events of the driver that we do not count': apart('events', ours.events + ours.freeEvents),
  };
}
