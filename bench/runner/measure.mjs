import { measure as sample } from 'mitata';

/**
 * The median time of a call in nanoseconds, and the bytes it allocates on the JavaScript heap. Needs
 * node --expose-gc. What `act` returns is kept, so that the engine cannot leave the work out.
 */
export async function measure(act, { seconds = 0.5 } = {}) {
  const stats = await sample(() => act(), {
    min_cpu_time: seconds * 1e9,
    heap: () => process.memoryUsage().heapUsed,
  });
  return { nanoseconds: stats.p50, bytes: Math.round(stats.heap.avg) };
}
