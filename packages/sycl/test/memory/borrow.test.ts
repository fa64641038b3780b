import { type ArrayDescriptor, makeDescriptor } from '@array-interface/core';
import { type SyclArray, sycl } from '@array-interface/sycl';
import { describe, expect, test } from 'vitest';
import { refused } from '../support/refused.js';

/** The array's dict with some keys changed, as somebody else's object. */
function producerOf(array: SyclArray, changes: object = {}) {
  const dict = array.__sycl_usm_array_interface__;
  const data = [...dict.data]; // a new list, by which the backend cannot find its own memory
  return { __sycl_usm_array_interface__: { ...dict, data, ...changes } };
}

describe('what a producer may name as syclobj', () => {
  test.each(['opencl:cpu:0', 'cpu', 'opencl', '0', 'gpu,cpu'])(
    'the selector %s',
    async (syclobj) => {
      using array = await sycl.array([1, 2, 3]);
      using borrowed = sycl.asArray(producerOf(array, { syclobj }));
      expect([...(await sycl.toTypedArray(borrowed))]).toEqual([1, 2, 3]);
    },
  );

  test('our queue, its capsule, and an object that returns one', async () => {
    using queue = sycl.createQueue();
    using array = sycl.empty([3], 'float32');
    const object = { _get_capsule: () => queue._get_capsule() };
    for (const syclobj of [queue, queue._get_capsule(), object]) {
      using borrowed = sycl.asArray(producerOf(array, { syclobj }));
      const named = borrowed.__sycl_usm_array_interface__.syclobj as typeof queue;
      expect(named.isSame(queue)).toBe(true);
    }
  });

  test.each(['gpu', 'level_zero:gpu:0', 'cpu:7', 'cuda'])('no device %s', async (syclobj) => {
    using array = sycl.empty([3], 'float32');
    const error = await refused('ERR_SYCLOBJ', () => sycl.asArray(producerOf(array, { syclobj })));
    expect(error.path).toBe('syclobj');
    expect(error.message).toContain('opencl:cpu:0');
  });

  test('a capsule of unknown origin is not followed', async () => {
    using array = sycl.empty([3], 'float32');
    for (const name of ['SyclQueueRef', 'SyclContextRef']) {
      const syclobj = { name, pointer: 0x1000n };
      await refused('ERR_SYCLOBJ', () => sycl.asArray(producerOf(array, { syclobj })));
    }
  });

  test('a disposed queue', async () => {
    using array = sycl.empty([3], 'float32');
    const syclobj = sycl.createQueue();
    syclobj[Symbol.dispose]();
    await refused('ERR_DISPOSED', () => sycl.asArray(producerOf(array, { syclobj })));
  });
});

describe('what is checked before anything is touched', () => {
  test.each([0x1000n, 2n ** 47n, 2n ** 64n - 64n])(
    'the pointer %s belongs to nobody',
    async (pointer) => {
      using array = sycl.empty([3], 'float32');
      const foreign = producerOf(array, { data: [pointer, false] });
      await refused('ERR_POINTER_UNKNOWN', () => sycl.asArray(foreign));
      await refused('ERR_POINTER_UNKNOWN', () => sycl.asArray(foreign, { bounds: 'trust' }));
      await refused('ERR_POINTER_UNKNOWN', () => sycl.copy(array, foreign));
      await refused('ERR_POINTER_UNKNOWN', () => sycl.copy(foreign, array));
    },
  );

  test('freed memory', async () => {
    const array = sycl.empty([64], 'uint8');
    const producer = producerOf(array);
    array[Symbol.dispose]();
    await refused('ERR_POINTER_UNKNOWN', () => sycl.asArray(producer));
  });

  test.each([
    ['one element more', { shape: [13] }],
    ['rows further apart', { shape: [3, 4], strides: [5, 1] }],
    ['backwards from the start', { shape: [2], strides: [-1] }],
    ['an offset past the end', { offset: 1 }],
  ])('%s', async (_, changes) => {
    using array = sycl.empty([12], 'float32');
    const producer = producerOf(array, changes);
    const error = await refused('ERR_OUT_OF_BOUNDS', () => sycl.asArray(producer));
    expect(error.path).toBe('shape');
    using trusted = sycl.asArray(producer, { bounds: 'trust' });
    expect(trusted.memory.allocation).toBeNull();
  });

  test('an offset before the start of the memory', async () => {
    using array = sycl.empty([1], 'uint8');
    const producer = producerOf(array, { offset: -(2 ** 20) });
    await refused('ERR_POINTER_UNKNOWN', () => sycl.asArray(producer));
  });

  test('JavaScript memory and a pending CUDA stream are refused', async () => {
    using array = sycl.empty([3], 'float32');
    await refused('ERR_NO_INTERFACE', () => sycl.asArray(new Float32Array(3)));
    const { pointer, dtype } = array;
    const pending: ArrayDescriptor = makeDescriptor({ pointer, shape: [3], dtype, stream: 1n });
    await refused('ERR_STREAM', () => sycl.copy(array, pending));
    await refused('ERR_STREAM', () => sycl.asArray(pending));
    using settled = sycl.asArray(pending, { sync: 'none' });
    await sycl.fill(settled, 3);
    expect(await sycl.toTypedArray(array)).toEqual(Float32Array.of(3, 3, 3));
  });
});

describe('without elements', () => {
  test.each([0n, 0x1000n])(
    'any pointer, %s too, is accepted and re-exported as real memory',
    (data) => {
      using array = sycl.empty([3], 'float32');
      const producer = producerOf(array, { shape: [0, 4], data: [data, false] });
      using borrowed = sycl.asArray(producer);
      expect(borrowed.shape).toEqual([0, 4]);
      const { data: exported, offset } = borrowed.__sycl_usm_array_interface__;
      expect(sycl.inspectPointer(exported[0]).memoryKind).toBe('device');
      expect(offset).toBe(0);
    },
  );

  test('real memory is re-exported unchanged', () => {
    using array = sycl.empty([3], 'float32');
    using borrowed = sycl.asArray(producerOf(array, { shape: [0], offset: 2 }));
    const { data, offset } = borrowed.__sycl_usm_array_interface__;
    expect([data[0], offset]).toEqual([array.pointer, 2]);
  });
});

describe('a borrowed array', () => {
  test('is read-only if its producer says so, unless told otherwise', async () => {
    using array = await sycl.array([1, 2, 3]);
    const producer = producerOf(array, { data: [array.pointer, true] });
    using borrowed = sycl.asArray(producer);
    await refused('ERR_READ_ONLY', () => sycl.fill(borrowed, 0));
    using writable = sycl.asArray(producer, { readOnly: false });
    await sycl.fill(writable, 9);
    expect([...(await sycl.toTypedArray(array))]).toEqual([9, 9, 9]);
  });

  test('keeps our memory, although its first array is disposed', async () => {
    const array = await sycl.array([1, 2, 3]);
    using borrowed = sycl.asArray(producerOf(array));
    array[Symbol.dispose]();
    await sycl.synchronize();
    expect([...(await sycl.toTypedArray(borrowed))]).toEqual([1, 2, 3]);
  });

  test('is exported as it was imported', () => {
    using array = sycl.empty([4, 6], 'float32');
    const dict = { ...array.__sycl_usm_array_interface__, strides: [-6, -1], offset: 23 };
    using borrowed = sycl.asArray({ __sycl_usm_array_interface__: dict });
    expect(borrowed.__sycl_usm_array_interface__).toEqual(dict);
  });
});
