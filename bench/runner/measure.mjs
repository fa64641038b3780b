import { measure as sample } from 'mitata';

/**
 * Returns the median time of a call in nanoseconds, and the bytes it allocates on the JavaScript
 * heap. Needs node --expose-gc. Keeps what `act` returns, so that the engine cannot optimise the
 * work away.
 */
export async function measure(act, { seconds = 0.5 } = {}) {
  const stats = await sample(() => act(), {
    min_cpu_time: seconds * 1e9,
    heap: () => process.memoryUsage().heapUsed,
  });
  return { nanoseconds: stats.p50, bytes: Math.round(stats.heap.avg) };
}
