import { cuda } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
import { refused } from '../support/refused.js';

describe('streams', () => {
  test('of ours have real handles and run beside the legacy default stream', () => {
    using stream = cuda.createStream();
    using blocking = cuda.createQueue({ nonBlocking: false });
    expect(stream.handle).toBeGreaterThan(2n);
    expect(stream.nonBlocking).toBe(true);
    expect(blocking.nonBlocking).toBe(false);
    expect(cuda.stream(stream.handle).handle).toBe(stream.handle);
  });

  test('on each device', () => {
    for (const { index } of cuda.devices()) {
      using stream = cuda.createStream({ device: index });
      expect(stream.device).toBe(index);
      expect(cuda.stream(stream.handle).device).toBe(index);
      expect(cuda.stream(1n, { device: index }).device).toBe(index);
    }
  });

  test('priorities within the range of the device', () => {
    using first = cuda.createStream({ priority: -1 });
    using second = cuda.createStream();
    expect(first.priority).toBe(-1);
    expect(second.priority).toBe(0);
  });

  test('the default streams work', async () => {
    using array = cuda.empty([100], 'float32');
    for (const handle of [1n, 2n]) {
      const queue = cuda.stream(handle);
      await cuda.fill(array, Number(handle), { queue });
      await queue.synchronize();
      expect(queue.query()).toBe(true);
      const filled = new Float32Array(100).fill(Number(handle));
      expect(await cuda.toTypedArray(array, { queue })).toEqual(filled);
    }
  });

  test('a foreign one is not destroyed with its object', async () => {
    using stream = cuda.createStream();
    const foreign = cuda.stream(stream.handle);
    foreign[Symbol.dispose]();
    await stream.synchronize();
    expect(stream.query()).toBe(true);
  });

  test('refuses what is not a stream', async () => {
    for (const handle of [0n, -1n, 2n ** 64n]) {
      await refused(() => cuda.stream(handle), 'ERR_STREAM');
    }
    await refused(() => cuda.stream(1 as never), 'ERR_TYPE');
    await refused(() => cuda.stream(1n, { device: 99 }), 'ERR_ARGUMENT');
    await refused(() => cuda.createStream({ priority: 0.5 }), 'ERR_ARGUMENT');
  });

  test('refuses a disposed one', async () => {
    const stream = cuda.createStream();
    const event = stream.record();
    stream[Symbol.dispose]();
    for (const use of [
      () => stream.record(),
      () => stream.query(),
      () => stream.wait(event),
      () => stream.synchronize(),
      () => stream.synchronizeSync(),
      () => cuda.empty([1], 'uint8', { queue: stream }),
    ]) {
      await refused(use, 'ERR_DISPOSED');
    }
    await event.synchronize();
  });

  test('refuses queues and events of other backends', async () => {
    using array = cuda.empty([1], 'uint8');
    using stream = cuda.createStream();
    const other = { device: 0, assertLive: () => {} } as never;
    await refused(() => cuda.fill(array, 1, { queue: other }), 'ERR_ARGUMENT');
    await refused(() => cuda.empty([1], 'uint8', { queue: other }), 'ERR_ARGUMENT');
    await refused(() => stream.wait({} as never), 'ERR_ARGUMENT');
  });
});
