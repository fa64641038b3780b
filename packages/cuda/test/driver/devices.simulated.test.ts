import { cuda } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
import { driver } from '../support/driver.js';
import { probe } from '../support/probe.js';
import { foreignProducer } from '../support/producer.js';

// The simulator has two devices that are peers.

const VALUES = Float32Array.from({ length: 60 }, (_, i) => i);
const REVERSED = VALUES.toReversed();

describe('two devices', () => {
  test('arrays are on the requested device', () => {
    using stream = cuda.createStream({ device: 1 });
    using named = cuda.empty([1], 'uint8', { device: 1 });
    using queued = cuda.empty([1], 'uint8', { queue: stream });
    for (const array of [named, queued]) {
      expect(cuda.inspectPointer(array.pointer).device).toBe(1);
      expect(array.memory.device).toBe(1);
    }
  });

  test.each([
    [0, 1],
    [1, 0],
  ])('copies from device %i to device %i, contiguous and strided', async (from, to) => {
    using source = await cuda.array(VALUES, { device: from });
    using target = cuda.empty([60], 'float32', { device: to });
    await cuda.copy(target, source);
    expect(await cuda.toTypedArray(target)).toEqual(VALUES);
    await cuda.copy(target, source.flip());
    expect(await cuda.toTypedArray(target)).toEqual(REVERSED);
    using stream = cuda.createStream({ device: from });
    await cuda.copy(target.flip(), source, { queue: stream });
    expect(await cuda.toTypedArray(target)).toEqual(REVERSED);
  });

  test('a loan is used on its own device', async () => {
    using array = await cuda.array(VALUES, { device: 1 });
    using loan = cuda.asArray(foreignProducer(array, null));
    expect(loan.memory.device).toBe(1);
    expect(await cuda.toTypedArray(loan.flip())).toEqual(REVERSED);
  });

  test('a loan of a pool is copied by the other device, strided', async () => {
    using pool = cuda.createPool({ device: 1 });
    using array = await cuda.array(VALUES, { device: 1, pool });
    using target = cuda.empty([60], 'float32');
    using queue = cuda.createStream();
    await array.synchronize();
    using ours = cuda.asArray(foreignProducer(array, null));
    const before = probe.calls('cuMemPoolSetAccess');
    await cuda.copy(target, ours.flip(), { queue });
    expect(probe.calls('cuMemPoolSetAccess')).toBe(before + 1);
    expect(await cuda.toTypedArray(target)).toEqual(REVERSED);
  });

  test("a loan of another library's pool, too", async () => {
    probe.makeCurrent(1);
    const home = probe.createStream();
    const pointer = probe.allocateAsync(home, VALUES.byteLength);
    using queue = cuda.createStream();
    using target = cuda.empty([60], 'float32');
    const dict = { shape: [60], typestr: '<f4', data: [pointer, false], version: 3, stream: home };
    const loan = cuda.asArray({ __cuda_array_interface__: dict });
    await cuda.copy(loan, VALUES);
    expect(driver.reach(queue, loan.memory)).toBe('copies'); // as of devices that are not peers
    await cuda.copy(target, loan.flip(), { queue });
    expect(await cuda.toTypedArray(target)).toEqual(REVERSED);
    await loan.synchronize();
    loan[Symbol.dispose]();
    probe.makeCurrent(1);
    probe.freeAsync(home, pointer);
    probe.destroyStream(home);
  });
});
