import type { MemoryKind } from '@array-interface/core/backend';
import { sycl } from '@array-interface/sycl';
import { describe, expect, test } from 'vitest';
import { refused } from './support/refused.js';

describe('devices', () => {
  test('each is found by its own filter selector', () => {
    for (const { index, selector } of sycl.devices()) {
      expect(selector).toMatch(/^\w+:\w+:\d+$/);
      using array = sycl.empty([4], 'float32', { device: index });
      const dict = { ...array.__sycl_usm_array_interface__, syclobj: selector };
      using borrowed = sycl.asArray({ __sycl_usm_array_interface__: dict });
      expect(borrowed.memory.device).toBe(index);
    }
  });

  test('report how much memory they have', () => {
    expect(sycl.devices()[0]?.memory).toBeGreaterThan(2 ** 26);
  });
});

describe('inspectPointer', () => {
  test.each<[MemoryKind, boolean]>([
    ['device', false],
    ['shared', true],
    ['host', true],
  ])('%s memory', (memoryKind, hostAccessible) => {
    using array = sycl.empty([10], 'int64', { memoryKind });
    const allocation = { pointer: array.pointer, byteLength: 80 };
    for (const inside of [0n, 1n, 79n]) {
      const { context, ...found } = sycl.inspectPointer(array.pointer + inside);
      expect(found).toEqual({ memoryKind, device: 0, allocation, hostAccessible });
      expect(context?.isDefault).toBe(true);
    }
    expect(array.memory.memoryKind).toBe(memoryKind);
  });

  test.each([0n, 1n, 0x1000n, 2n ** 47n, 2n ** 63n, 2n ** 64n - 1n])(
    'knows nothing about %s',
    (pointer) => {
      expect(sycl.inspectPointer(pointer)).toEqual({
        memoryKind: 'unknown',
        device: null,
        context: null,
        allocation: null,
        hostAccessible: false,
      });
    },
  );

  test('memory allocated where other memory was just freed is known at once', () => {
    for (let i = 0; i < 5000; i++) {
      const byteLength = 64 * (1 + (i % 7));
      using array = sycl.empty([byteLength], 'uint8', { memoryKind: 'host' });
      const { pointer } = array;
      const { allocation } = sycl.inspectPointer(pointer + BigInt(byteLength - 1));
      expect(allocation).toEqual({ pointer, byteLength });
    }
  });

  test('freed memory is unknown at once', async () => {
    for (let i = 0; i < 1000; i++) {
      const array = sycl.empty([1024], 'uint8');
      const { pointer } = array;
      array[Symbol.dispose]();
      expect(sycl.inspectPointer(pointer).memoryKind).toBe('unknown');
    }
  });
});

describe('empty', () => {
  test('refuses more memory than there is', async () => {
    const error = await refused('ERR_OUT_OF_MEMORY', () => sycl.empty([2 ** 50], 'uint8'));
    expect(error.call).toBe('DPCTLaligned_alloc_device');
  });

  test('refuses memory that SYCL does not have', async () => {
    const memoryKind = 'pageable';
    await refused('ERR_ARGUMENT', () => sycl.empty([1], 'uint8', { memoryKind }));
  });

  test('refuses a device that is not the queue’s', async () => {
    using queue = sycl.createQueue();
    await refused('ERR_ARGUMENT', () => sycl.empty([1], 'uint8', { queue, device: 1 }));
  });

  test('is aligned to 64 bytes; the widest unit of a copy is 16', () => {
    using array = sycl.empty([1], 'uint8');
    expect(array.pointer % 64n).toBe(0n);
  });
});

describe('copies', () => {
  test.each<MemoryKind>(['device', 'shared', 'host'])('in %s memory', async (memoryKind) => {
    using source = await sycl.array(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      { dtype: 'int16', memoryKind },
    );
    using target = sycl.empty([3, 2], 'int16', { memoryKind });
    const turned = source.permuteDims([1, 0]);
    await sycl.copy(target, turned);
    expect([...(await sycl.toTypedArray(target))]).toEqual([1, 4, 2, 5, 3, 6]);
  });

  test('a large transposition', async () => {
    const n = 1031;
    const elements = Uint32Array.from({ length: n * n }, (_, i) => i * 2654435761);
    using flat = await sycl.array(elements);
    using target = sycl.empty([n, n], 'uint32');
    using strided = sycl.asArray({
      __sycl_usm_array_interface__: {
        ...flat.__sycl_usm_array_interface__,
        shape: [n, n],
        strides: [1, n],
      },
    });
    await sycl.copy(target, strided);
    const got = await sycl.toTypedArray(target);
    const wrong = got.findIndex((value, i) => value !== elements[(i % n) * n + Math.floor(i / n)]);
    expect(wrong).toBe(-1);
  });

  test('a detached buffer', async () => {
    using target = sycl.empty([8], 'uint8');
    const bytes = new Uint8Array(8);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    await expect(sycl.copy(target, bytes)).rejects.toMatchObject({
      name: 'ArrayInterfaceError',
    });
  });

  test('a buffer that is detached during its copy', async () => {
    using source = await sycl.array(new Uint8Array(4096).fill(7));
    const bytes = new Uint8Array(4096);
    const copied = sycl.copy(bytes, source);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    await refused('ERR_OUT_OF_BOUNDS', () => copied);
  });
});

test('whenKernelsReady settles when the requested kernels are built, or its signal is aborted', async () => {
  const count = 2 ** 14;
  for (const dtype of ['uint8', 'uint16', 'float32'] as const) {
    using numbers = sycl.empty([8 * count], dtype);
    using target = sycl.empty([count], dtype);
    for (let step = 2; step <= 8; step++) {
      const spread = numbers.slice([[0, step * count, step]]);
      await sycl.copy(target, spread);
    }
  }
  let isBuilt = false;
  const built = sycl.whenKernelsReady().then(() => {
    isBuilt = true;
  });
  const reason = new Error('mine');
  await expect(sycl.whenKernelsReady({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  await new Promise(setImmediate);
  expect(isBuilt).toBe(false); // six builds take a second
  await built;
});
