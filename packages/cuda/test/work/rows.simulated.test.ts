import { cuda } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
import { probe } from '../support/probe.js';

// Long rows go by the driver's own copies, everything else by our kernel; the results are the same.

const COLUMNS = 512;

/** Rows of one array into rows of another; which call of the driver did it. */
async function copies(to: number[], from: number[], shape: number[]): Promise<string> {
  using target = cuda.empty([4, 6, to[2] as number], 'uint8');
  using source = cuda.empty([4, 6, from[2] as number], 'uint8');
  const values = Uint8Array.from({ length: 24 * (from[2] as number) }, (_, i) => i % 251);
  await cuda.copy(source, {
    __array_interface__: { version: 3, shape: [...source.shape], typestr: '|u1', data: values },
  });
  await cuda.fill(target, 0);
  const ranges = shape.map((length) => [0, length] as const);
  const part = target.slice(ranges);
  const piece = source.slice(ranges);
  const names = ['cuMemcpy2DAsync', 'cuMemcpy3DAsync', 'cuLaunchKernel'];
  const before = names.map((name) => probe.calls(name));
  await cuda.copy(part, piece);
  const [used] = names.filter((name, i) => probe.calls(name) > (before[i] as number));
  const found = (await cuda.toTypedArray(part)) as Uint8Array;
  expect(found).toEqual(await cuda.toTypedArray(piece));
  const all = (await cuda.toTypedArray(target)) as Uint8Array;
  const written = shape.reduce((product, length) => product * length, 1);
  const count = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum + (byte === 0 ? 0 : 1), 0);
  expect(count(all)).toBe(count(found));
  expect(found).toHaveLength(written);
  return used ?? 'none';
}

describe('rows', () => {
  test('of two dimensions', async () => {
    expect(await copies([4, 6, 600], [4, 6, COLUMNS], [4, 6, COLUMNS])).toBe('cuMemcpy2DAsync');
  });

  test('of three', async () => {
    expect(await copies([4, 6, 600], [4, 6, 700], [3, 5, COLUMNS])).toBe('cuMemcpy3DAsync');
  });

  test('too short for it', async () => {
    expect(await copies([4, 6, 600], [4, 6, 700], [3, 5, 100])).toBe('cuLaunchKernel');
  });

  test('refused by the driver are copied by the kernel', async () => {
    const kernels = probe.calls('cuLaunchKernel');
    probe.fail('cuMemcpy2DAsync:1:INVALID_VALUE');
    try {
      expect(await copies([4, 6, 600], [4, 6, COLUMNS], [4, 6, COLUMNS])).toBe('cuMemcpy2DAsync');
    } finally {
      probe.fail('');
    }
    expect(probe.calls('cuLaunchKernel') - kernels, 'kernels in place of it').toBe(2);
  });

  test('farther apart than the device’s copies can address: 2^31 bytes', async () => {
    using target = cuda.empty([2, COLUMNS], 'uint8');
    const pages = new Uint8Array(new SharedArrayBuffer(2 ** 31 + COLUMNS)); // few of them used
    using registered = cuda.register(pages);
    const dict = {
      ...registered.__cuda_array_interface__,
      ...{ shape: [2, COLUMNS], strides: [2 ** 31, 1] },
    };
    using rows = cuda.asArray({ __cuda_array_interface__: dict });
    await cuda.fill(rows, 7);
    const calls = probe.calls('cuMemcpy2DAsync');
    await cuda.copy(target, rows);
    expect(probe.calls('cuMemcpy2DAsync') - calls, 'cuMemcpy2DAsync beyond its pitch').toBe(0);
    expect(await cuda.toTypedArray(target)).toEqual(new Uint8Array(2 * COLUMNS).fill(7));
  });
});
