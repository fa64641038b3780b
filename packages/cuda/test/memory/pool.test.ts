import { cuda, liveAllocations } from '@array-interface/cuda';
import { describe, expect, test, vi } from 'vitest';
import { foreignProducer } from '../support/producer.js';
import { refused } from '../support/refused.js';

describe('pools', () => {
  test('memory is allocated and freed in the order of its stream', async () => {
    using pool = cuda.createPool({ releaseThreshold: 1 << 20 });
    using queue = cuda.createStream();
    for (let i = 0; i < 50; i++) {
      using array = cuda.empty([1000], 'uint8', { pool, queue });
      void cuda.fill(array, i);
      using other = cuda.empty([1000], 'uint8');
      await cuda.copy(other, array);
      expect(await cuda.toTypedArray(other)).toEqual(new Uint8Array(1000).fill(i));
    }
    await queue.synchronize();
    expect(pool.bytes.used).toBe(0);
    pool.trim();
    expect(pool.bytes.reserved).toBe(0);
    await vi.waitFor(() => expect(liveAllocations()).toBe(0), 100_000);
  });

  test('memory is aligned to 64 bytes, also if it is reused', async () => {
    using pool = cuda.createPool({ releaseThreshold: 1 << 20 });
    const pools = [pool, cuda.defaultPool()];
    const kept: Disposable[] = [];
    for (let size = 0; size < 1000; size += 1 + (size >> 3)) {
      for (const one of pools) {
        const array = cuda.empty([size], 'uint8', { pool: one });
        expect(array.pointer % 64n).toBe(0n);
        if (size % 2 === 0) array[Symbol.dispose]();
        else kept.push(array);
        using copied = await cuda.array(new Uint8Array(size + 1), { pool: one });
        expect(copied.pointer % 64n).toBe(0n);
      }
    }
    for (const array of kept) array[Symbol.dispose]();
  });

  test('other streams access it only after it is allocated', async () => {
    using pool = cuda.createPool();
    using queue = cuda.createStream();
    using other = cuda.createStream();
    using array = cuda.empty([100], 'float32', { pool, queue });
    await cuda.fill(array, 2, { queue: other });
    expect(await cuda.toTypedArray(array, { queue: other })).toEqual(new Float32Array(100).fill(2));
  });

  test("the device's own pool, without a stream, and on each device", async () => {
    for (const { index } of cuda.devices()) {
      const pool = cuda.defaultPool({ device: index });
      using array = await cuda.array(Uint8Array.of(1, 2, 3), { pool, device: index });
      expect(array.device).toBe(index);
      expect(pool.bytes.used).toBeGreaterThan(0);
      expect(await cuda.toTypedArray(array.flip())).toEqual(Uint8Array.of(3, 2, 1));
    }
  });

  test('is recognised by the driver, belongs to no context, and can be lent', async () => {
    using pool = cuda.createPool();
    using array = await cuda.array(Uint8Array.of(1, 2, 3), { pool });
    const found = cuda.inspectPointer(array.pointer);
    expect(found).toMatchObject({ memoryKind: 'device', detail: 'pool', context: null, device: 0 });
    using loan = cuda.asArray(foreignProducer(array, null));
    expect(await cuda.toTypedArray(loan)).toEqual(Uint8Array.of(1, 2, 3));
  });

  test('arrays outlive their pool, which is then refused', async () => {
    const pool = cuda.createPool();
    using array = await cuda.array(Uint8Array.of(4, 5), { pool });
    pool[Symbol.dispose]();
    expect(await cuda.toTypedArray(array)).toEqual(Uint8Array.of(4, 5));
    await refused(() => cuda.empty([1], 'uint8', { pool }), 'ERR_DISPOSED');
    await refused(() => pool.trim(), 'ERR_DISPOSED');
    await refused(() => pool.bytes, 'ERR_DISPOSED');
  });

  test('refuses contradictory options', async () => {
    using pool = cuda.createPool();
    const wrong = [{ memoryKind: 'host' }, { memoryKind: 'shared' }] as const;
    for (const options of wrong) {
      await refused(() => cuda.empty([1], 'uint8', { pool, ...options }), 'ERR_ARGUMENT');
    }
    await refused(() => cuda.empty([1], 'uint8', { pool: {} as never }), 'ERR_ARGUMENT');
    await refused(() => cuda.createPool({ device: 99 }), 'ERR_ARGUMENT');
  });
});
