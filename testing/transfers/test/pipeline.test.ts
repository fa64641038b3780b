import { isArrayInterfaceError } from '@array-interface/core';
import type { CopyProgress } from '@array-interface/core/backend';
import { cuda, liveAllocations as cudaAllocations } from '@array-interface/cuda';
import { host } from '@array-interface/host';
import { sycl, liveAllocations as syclAllocations } from '@array-interface/sycl';
import { describe, expect, test } from 'vitest';
import { failAt, separate, valuesOf, watch } from './watched.js';

// If neither side reaches the other, a few chunks are used in turn. The numbers here are the defaults.

const MIB = 2 ** 20;
const CHUNK = 2 * MIB;
const CHUNKS = 8;

const WAYS = [
  { name: 'CUDA to SYCL', from: cuda, to: sycl },
  { name: 'SYCL to CUDA', from: sycl, to: cuda },
  { name: 'CUDA to the host', from: cuda, to: host },
  { name: 'the host to CUDA', from: host, to: cuda },
] as const;

describe('the pipeline', () => {
  test.each(WAYS)('$name: memory is bounded, whatever the size', async ({ from, to }) => {
    using source = from.empty([24 * MIB], 'uint8');
    using target = to.empty([24 * MIB], 'uint8');
    await from.fill(source, 7);
    const before = cudaAllocations() + syclAllocations();
    const { staged } = watch();
    const told: CopyProgress[] = [];
    let most = 0;
    const onProgress = (one: CopyProgress) => {
      told.push(one);
      most = Math.max(most, cudaAllocations() + syclAllocations() - before);
    };
    await to.copy(target, source, { onProgress });
    expect(told.at(-1)).toEqual({ bytes: 24 * MIB, total: 24 * MIB });
    expect(told).toHaveLength(12);
    expect(staged.length).toBeLessThanOrEqual(CHUNKS + 1); // one shows that CUDA does not reach SYCL's
    expect(most).toBeLessThanOrEqual(CHUNKS + 1);
    expect(new Set(staged)).toEqual(new Set([CHUNK]));
    expect((await to.toTypedArray(target)).every((value) => value === 7)).toBe(true);
  });

  test.each(WAYS)('$name: a row longer than a chunk is cut as well', async ({ from, to }) => {
    const length = 3 * MIB + 1;
    using source = from.empty([2, length], 'uint16');
    using target = to.empty([2, length], 'uint16');
    const row = source.slice([1]);
    await from.fill(source, 1);
    await from.fill(row, 2);
    const { staged } = watch();
    const flipped = source.flip(0);
    await to.copy(target, flipped);
    expect(Math.max(...staged)).toBe(CHUNK);
    const found = await to.toTypedArray(target);
    expect(found.findIndex((value) => value !== 2)).toBe(length);
    expect(found.slice(length).every((value) => value === 1)).toBe(true);
  });

  test.each(WAYS)(
    '$name: arrays of the same unusual order are copied in long runs',
    async ({ from, to }) => {
      using stored = from.empty([100, 200], 'float32');
      using made = to.empty([100, 200], 'float32');
      const [source, target] = [stored.permuteDims([1, 0]), made.permuteDims([1, 0])];
      await from.fill(source, 3);
      const { worked, axes } = watch();
      await to.copy(target, source);
      expect({ worked, axes }).toEqual({ worked: [from.name, to.name], axes: [1, 1] });
      expect(valuesOf(await to.toTypedArray(target))).toEqual(new Set([3]));
    },
  );

  test.each(WAYS)('$name: both sides are in flight', async ({ from, to }) => {
    using source = from.empty([24 * MIB], 'uint8');
    using target = to.empty([24 * MIB], 'uint8');
    await from.fill(source, 7);
    const { worked } = watch();
    await to.copy(target, source);
    const firstWrite = worked.indexOf(to.name);
    const lastRead = worked.lastIndexOf(from.name);
    expect(firstWrite).toBeGreaterThan(-1);
    expect(worked.slice(firstWrite, lastRead).length).toBeGreaterThan(1);
    if (from !== host) expect(firstWrite).toBe(CHUNKS);
  });

  describe.each(WAYS)('$name: a chunk that fails', ({ from, to }) => {
    test.each([
      ['the source', from, 6],
      ['the destination', to, 4],
    ] as const)('at %s', async (_, backend, nth) => {
      using source = await from.array(new Uint8Array(40_000).fill(1));
      using target = await to.array(new Uint8Array(40_000));
      const failure = new Error('planned');
      failAt(backend, nth, failure);
      const copied = to.copy(target, source, { chunkBytes: 1000 });
      await expect(copied).rejects.toBe(failure);

      const { bytesWritten } = failure as Error & { bytesWritten: number };
      expect(bytesWritten % 1000).toBe(0);
      expect(bytesWritten).toBeLessThan((nth + CHUNKS) * 1000);
      await from.fill(source, 2);
      expect((await to.toTypedArray(target)).filter(Boolean).length).toBe(bytesWritten);
      expect(valuesOf(await to.toTypedArray(target)).has(2)).toBe(false);
    });
  });

  test("an error on the way to the device has the driver's code and the bytes written", async () => {
    using source = await host.array(new Uint8Array(8));
    using target = cuda.empty([8], 'uint8');
    const error = await cuda.copy(target, source, { chunkBytes: -1 }).catch((reason) => reason);
    expect(isArrayInterfaceError(error, 'ERR_ARGUMENT')).toBe(true);
    expect(error.bytesWritten).toBeUndefined();
  });
});

describe('backends that do not reach each other’s memory', () => {
  test.each(WAYS)('$name: through JavaScript memory, bounded too', async ({ from, to }) => {
    separate();
    using source = from.empty([12 * MIB], 'uint8');
    using target = to.empty([12 * MIB], 'uint8');
    await from.fill(source, 7);
    const told: number[] = [];
    await to.copy(target, source, { onProgress: ({ bytes }) => told.push(bytes) });
    expect(told).toEqual([4 * MIB, 8 * MIB, 12 * MIB]);
    expect((await to.toTypedArray(target)).every((value) => value === 7)).toBe(true);
  });

  const ONTO_DEVICES = WAYS.filter(({ to }) => to !== host);
  test.each(ONTO_DEVICES)('$name: a part that fails half way has ended', async ({ from, to }) => {
    separate();
    using queue = to.createQueue();
    using source = await from.array(new Uint8Array(40 * MIB).fill(1));
    using target = to.empty([40 * MIB], 'uint8');
    const failure = new Error('planned');
    failAt(to, 3, failure, 'stage'); // the first shows that nothing is reached
    const copied = to.copy(target, source, { queue, chunkBytes: 40 * MIB });
    await expect(copied).rejects.toBe(failure);
    expect(queue.query()).toBe(true);
  });

  test.each(WAYS)('$name: in any layout, converted', async ({ from, to }) => {
    separate();
    using source = await from.array(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      { dtype: 'int16' },
    );
    using target = to.empty([3, 2], 'float64');
    await to.copy(target, source.flip().permuteDims([1, 0]), { chunkBytes: 4 });
    expect([...(await to.toTypedArray(target))]).toEqual([6, 3, 5, 2, 4, 1]);
  });
});
