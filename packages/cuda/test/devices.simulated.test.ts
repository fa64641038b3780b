import { cuda } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
import { addon } from '../src/addon.js';
import type { CudaMemory } from '../src/memory.js';
import { probe } from './probe.js';
import { foreignProducer } from './producer.js';

// The simulator has two devices that are peers.

const VALUES = Float32Array.from({ length: 60 }, (_, i) => i);
const REVERSED = VALUES.toReversed();

describe('two devices', () => {
  test('arrays lie on the device that was asked for', () => {
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
  ])('copies from device %i to device %i, dense and strided', async (from, to) => {
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

  test("a loan of somebody else's pool, too", async () => {
    using pool = cuda.createPool({ device: 1 });
    using home = cuda.createStream({ device: 1 });
    using queue = cuda.createStream();
    using target = cuda.empty([60], 'float32');
    const made = pool.allocate(home, VALUES.byteLength);
    const data = [made.pointer, false];
    using loan = cuda.asArray(foreignProducer(target, home, { data }));
    await cuda.copy(loan, VALUES);
    expect((loan.memory as CudaMemory).isReachedFrom(0)).toBe(false); // so it takes the way of no peers
    await cuda.copy(target, loan.flip(), { queue });
    expect(await cuda.toTypedArray(target)).toEqual(REVERSED);
    addon().free(made.handle, queue.record().handle);
  });
});
