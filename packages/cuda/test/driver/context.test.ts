import { type CudaArray, cuda } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
import { probe } from '../support/probe.js';
import type { ForeignProducer } from '../support/producer.js';

function exported({ __cuda_array_interface__ }: CudaArray): ForeignProducer {
  return { __cuda_array_interface__ };
}

/** All that calls the driver on this thread. */
async function everything(device: number): Promise<void> {
  using stream = cuda.createStream({ device });
  using source = await cuda.array(Float32Array.of(1, 2, 3, 4), { device, queue: stream });
  using target = cuda.empty([4], 'float32', { device });
  using pinned = cuda.empty([4], 'float32', { device, memoryKind: 'host' });
  await cuda.copy(target, source.flip());
  await cuda.copy(pinned, target);
  using loan = cuda.asArray(exported(pinned), { sync: 'block' });
  expect(await cuda.toTypedArray(loan)).toEqual(Float32Array.of(4, 3, 2, 1));
  cuda.inspectPointer(loan.pointer);
  stream.record().synchronizeSync();
  expect(() => cuda.empty([2 ** 50], 'uint8', { device })).toThrow();
  await cuda.synchronize();
}

describe("the caller's current context", () => {
  test('stays none', async () => {
    expect(cuda.availability.available).toBe(true);
    expect(probe.currentContext()).toBe(0n);
    for (const { index } of cuda.devices()) await everything(index);
    expect(probe.currentContext()).toBe(0n);
  });

  test('stays the one that another library made current', async () => {
    for (const { index } of cuda.devices()) {
      probe.makeCurrent(index);
      const current = probe.currentContext();
      expect(current).not.toBe(0n);
      for (const other of cuda.devices()) {
        await everything(other.index);
        expect(probe.currentContext()).toBe(current);
      }
    }
  });
});

test("the caller's capture mode stays global, which is the initial mode of every thread", async () => {
  const GLOBAL = 0;
  for (const { index } of cuda.devices()) {
    await everything(index);
    expect(probe.captureMode(), `the capture mode after work on device ${index}`).toBe(GLOBAL);
  }
});
