import { fromCudaArrayInterface } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
import { defaultStream } from '../support/driver.js';
import { probe } from '../support/probe.js';
import { foreignProducer } from '../support/producer.js';
import { refused } from '../support/refused.js';

describe('__cuda_array_interface__', () => {
  test('has the pointer, the layout in bytes and the read-only flag', async () => {
    using array = cuda.empty([3, 4], 'float32');
    await array.synchronize();
    expect(array.__cuda_array_interface__).toEqual({
      shape: [3, 4],
      typestr: '<f4',
      data: [array.pointer, false],
      strides: null,
      version: 3,
      stream: defaultStream().handle,
    });
    const view = array.slice([
      [null, null, -1],
      [1, 3],
    ]);
    const described = fromCudaArrayInterface(view.__cuda_array_interface__);
    expect(described.pointer).toBe(array.pointer + 36n);
    expect(described.byteStrides).toEqual([-16, 4]);
  });

  test('names one stream, whatever is pending', async () => {
    using stream = cuda.createStream();
    using other = cuda.createStream();
    using array = cuda.empty([1 << 20], 'uint8', { queue: stream });
    using homeless = cuda.empty([16], 'uint8');
    const named = () => [array, homeless].map((one) => one.__cuda_array_interface__.stream);
    const expected = [stream.handle, defaultStream().handle];
    expect(named()).toEqual(expected);
    for (const one of [array, homeless]) void cuda.fill(one, 1, { queue: other });
    expect(named()).toEqual(expected);
    await cuda.synchronize();
    expect(named()).toEqual(expected);
  });

  test('never names the per-thread stream, nor another library’s stream that may end', async () => {
    using array = cuda.empty([16], 'uint8', { queue: cuda.stream(2n) });
    probe.makeCurrent(0);
    const handle = probe.createStream();
    using foreign = cuda.empty([16], 'uint8', { queue: cuda.stream(handle) });
    for (const one of [array, foreign]) {
      await cuda.fill(one, 3);
      const { stream } = one.__cuda_array_interface__;
      expect(stream).toBe(defaultStream().handle);
      using named = cuda.stream(stream as bigint);
      expect(await cuda.toTypedArray(one, { queue: named })).toEqual(new Uint8Array(16).fill(3));
    }
    await cuda.synchronize();
    probe.destroyStream(handle);
  });

  test('a named stream lives as long as the array', async () => {
    const stream = cuda.createStream();
    const array = cuda.empty([1 << 20], 'uint8', { queue: stream });
    void cuda.fill(array, 1);
    const { stream: named } = array.__cuda_array_interface__;
    stream[Symbol.dispose]();
    await array.synchronize();
    expect(array.__cuda_array_interface__.stream).toBe(named);
    await cuda.stream(named as bigint).synchronize();
    array[Symbol.dispose]();
    await refused(() => cuda.fill(array, 1), 'ERR_DISPOSED');
  });

  test('a borrowed array names its producer’s stream', async () => {
    using stream = cuda.createStream();
    using array = cuda.empty([16], 'uint8');
    for (const producer of [stream, cuda.stream(1n)]) {
      using borrowed = cuda.asArray(foreignProducer(array, producer));
      using other = cuda.createStream();
      void cuda.fill(borrowed, 1, { queue: other });
      expect(borrowed.__cuda_array_interface__.stream).toBe(producer.handle);
      await borrowed.synchronize();
      expect(borrowed.__cuda_array_interface__.stream).toBe(producer.handle);
    }
  });
});
