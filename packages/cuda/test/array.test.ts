import { fromCudaArrayInterface } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { describe, expect, test, vi } from 'vitest';
import { foreignProducer } from './producer.js';
import { refused } from './refused.js';

describe('__cuda_array_interface__', () => {
  test('has the pointer, the layout in bytes and the flag', async () => {
    using array = cuda.empty([3, 4], 'float32');
    await array.synchronize();
    expect(array.__cuda_array_interface__).toEqual({
      shape: [3, 4],
      typestr: '<f4',
      data: [array.pointer, false],
      strides: null,
      version: 3,
      stream: null,
    });
    using view = array.slice([
      [null, null, -1],
      [1, 3],
    ]);
    const described = fromCudaArrayInterface(view.__cuda_array_interface__);
    expect(described.pointer).toBe(array.pointer + 36n);
    expect(described.byteStrides).toEqual([-16, 4]);
  });

  test('names the stream with the pending work, and null once it has ended', async () => {
    using stream = cuda.createStream();
    using array = cuda.empty([1 << 20], 'uint8', { queue: stream });
    void cuda.fill(array, 1);
    const { stream: named } = array.__cuda_array_interface__;
    expect([stream.handle, null]).toContain(named);
    await array.synchronize();
    await vi.waitFor(() => expect(array.__cuda_array_interface__.stream).toBeNull(), 10_000);
  });

  test('a stream that was named lives as long as the array', async () => {
    const stream = cuda.createStream();
    const array = cuda.empty([1 << 20], 'uint8', { queue: stream });
    void cuda.fill(array, 1);
    const { stream: named } = array.__cuda_array_interface__;
    stream[Symbol.dispose]();
    await array.synchronize();
    await vi.waitFor(() => expect(array.__cuda_array_interface__.stream).toBeNull(), 10_000);
    if (named !== null && named !== undefined) await cuda.stream(named).synchronize();
    array[Symbol.dispose]();
    await refused(() => cuda.fill(array, 1), 'ERR_DISPOSED');
  });

  test('a borrowed array names its producer’s stream', async () => {
    using stream = cuda.createStream();
    using array = cuda.empty([16], 'uint8');
    for (const producer of [stream, cuda.stream(1n), cuda.stream(2n)]) {
      using borrowed = cuda.asArray(foreignProducer(array, producer));
      using other = cuda.createStream();
      void cuda.fill(borrowed, 1, { queue: other });
      expect(borrowed.__cuda_array_interface__.stream).toBe(producer.handle);
      await borrowed.synchronize();
    }
  });
});
