import { cuda } from '@array-interface/cuda';
import { afterEach, describe, expect, test } from 'vitest';
import { isSimulated } from '../support/driver-under-test.js';
import { probe } from '../support/probe.js';

// Work that others give a stream: which context is current meanwhile. The contract has its order.

const devices = cuda.devices();

/** The primary context of a device, which is current afterwards. */
function contextOf(device: number): bigint {
  probe.makeCurrent(device);
  return probe.currentContext();
}

afterEach(() => {
  probe.makeCurrent(0);
});

describe('use has the context of its stream current', () => {
  test.each(devices.map(({ index }) => index))('on device %i', async (device) => {
    using stream = cuda.createStream({ device });
    using array = cuda.empty([4], 'uint8', { device });
    const expected = contextOf(device);
    for (const { index } of devices) {
      const callers = contextOf(index);
      const seen = await cuda.use(stream, { writes: [array] }, ({ handle }) => {
        probe.memset(handle, array.pointer, 7, 4);
        return probe.currentContext();
      });
      expect(seen).toBe(expected);
      expect(probe.currentContext()).toBe(callers);
    }
    expect(await cuda.toTypedArray(array)).toEqual(new Uint8Array(4).fill(7));
  });

  test('and restores the caller’s when the function throws or rejects', async () => {
    using stream = cuda.createStream();
    const callers = contextOf(devices.length - 1);
    const error = new Error('on purpose');
    const thrown = cuda.use(stream, {}, () => {
      throw error;
    });
    expect(probe.currentContext()).toBe(callers);
    await expect(thrown).rejects.toBe(error);
    const rejected = cuda.use(stream, {}, () => Promise.reject(error));
    expect(probe.currentContext()).toBe(callers);
    await expect(rejected).rejects.toBe(error);
  });

  test('while our functions that it calls have their own', async () => {
    const last = devices.length - 1;
    using stream = cuda.createStream();
    using array = cuda.empty([4], 'uint8', { queue: stream });
    using other = cuda.empty([4], 'uint8', { device: last });
    const callers = contextOf(last);
    const context = contextOf(0);
    probe.makeCurrent(last);
    const work: Promise<void>[] = [];
    const seen = await cuda.use(stream, {}, () => {
      work.push(cuda.fill(other, 3));
      work.push(cuda.fill(array, 4));
      return probe.currentContext();
    });
    expect(seen).toBe(context);
    expect(probe.currentContext()).toBe(callers);
    await Promise.all(work);
    expect(await cuda.toTypedArray(other)).toEqual(new Uint8Array(4).fill(3));
    expect(await cuda.toTypedArray(array)).toEqual(new Uint8Array(4).fill(4));
  });

  test('and our functions work if it has made another one current', async () => {
    const last = devices.length - 1;
    using stream = cuda.createStream();
    using array = cuda.empty([4], 'uint8', { queue: stream });
    const callers = contextOf(last);
    const made = await cuda.use(stream, { writes: [array] }, async (queue) => {
      probe.makeCurrent(last);
      queue.record({ timing: true }).synchronizeSync();
      const fill = cuda.fill(array, 5, { queue });
      const inner = cuda.empty([4], 'uint8', { device: 0 });
      await fill;
      return inner;
    });
    using inner = made;
    expect(cuda.inspectPointer(inner.pointer).device).toBe(0);
    expect(probe.currentContext()).toBe(callers);
    expect(await cuda.toTypedArray(array)).toEqual(new Uint8Array(4).fill(5));
  });

  test.runIf(isSimulated)('and restores the caller’s capture mode', async () => {
    using stream = cuda.createStream();
    await cuda.use(stream, {}, () => {});
    expect(probe.captureMode()).toBe(0);
  });
});

test('recordUse orders unreported work of others before later work', async () => {
  using stream = cuda.createStream();
  using other = cuda.createStream();
  using array = cuda.empty([1000], 'uint8', { queue: other });
  await array.synchronize();
  probe.makeCurrent(0);
  const release = probe.hold(stream.handle);
  probe.memset(stream.handle, array.pointer, 7, 1000);
  array.recordUse(stream);
  const read = cuda.toTypedArray(array);
  release();
  expect(await read).toEqual(new Uint8Array(1000).fill(7));
});
