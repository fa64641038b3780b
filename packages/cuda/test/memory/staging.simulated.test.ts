import { cuda } from '@array-interface/cuda';
import { expect, test } from 'vitest';
import { probe } from '../support/probe.js';

// What goes to and from JavaScript memory is staged in pinned memory, 16 MiB at a time.

const MIB = 1 << 20;

test('a large array is copied in pieces, in both directions, in any layout', async () => {
  const values = Uint16Array.from({ length: 20 * MIB }, (_, i) => i * 7);
  const producer = (shape: number[]) => ({
    __array_interface__: { version: 3, shape, typestr: '<u2', data: values },
  });
  const before = probe.calls('cuMemcpyAsync');
  using array = cuda.empty([4, 5 * MIB], 'uint16');
  await cuda.copy(array, producer([4, 5 * MIB]));
  expect(probe.calls('cuMemcpyAsync') - before).toBe(4);
  const turned = array.permuteDims([1, 0]);
  const found = await cuda.toTypedArray(turned);
  for (const i of [0, 1, 4321, 5 * MIB - 1]) {
    for (const row of [0, 1, 2, 3]) expect(found[4 * i + row]).toBe(values[row * 5 * MIB + i]);
  }
});

test('a download is completely enqueued when the call returns', async () => {
  using queue = cuda.createStream();
  using array = cuda.empty([40 * MIB], 'uint8', { queue });
  await cuda.fill(array, 1);
  const found = cuda.toTypedArray(array);
  void cuda.fill(array, 2);
  expect((await found).every((value) => value === 1)).toBe(true);
});
