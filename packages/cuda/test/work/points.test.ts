import { cuda } from '@array-interface/cuda';
import { expect, test, vi } from 'vitest';
import { addon } from '../../src/addon.js';
import { hold } from '../support/hold.js';

type Point = ReturnType<ReturnType<typeof cuda.createStream>['record']>;

/** Every way of learning that an event is complete. */
const WAYS: Readonly<Record<string, (point: Point) => unknown>> = {
  query: (point) =>
    vi.waitFor(() => expect(point.query()).toBe(true), { timeout: 100_000, interval: 1 }),
  synchronize: (point) => point.synchronize(),
  synchronizeSync: (point) => point.synchronizeSync(),
};

test.each(Object.keys(WAYS))(
  'work that %s saw complete keeps no event of the driver',
  async (way) => {
    using stream = cuda.createStream();
    using array = cuda.empty([16], 'uint8');
    using source = await cuda.array(new Uint8Array(16));
    await cuda.synchronize();
    const held = hold(stream);
    const points = Array.from({ length: 20 }, () => {
      void cuda.copy(array, source, { queue: stream });
      return stream.record();
    });
    expect(addon().liveCounts().events).toBeGreaterThanOrEqual(15); // the first ones may be complete
    held[Symbol.dispose]();
    for (const point of points) await WAYS[way]?.(point);
    expect(addon().liveCounts().events).toBeLessThan(5); // those of streams that other tests have
  },
);
