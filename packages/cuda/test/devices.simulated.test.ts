import { cuda } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
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
});
