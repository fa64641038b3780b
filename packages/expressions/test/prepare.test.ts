import type { Backend, BackendArray } from '@array-interface/core';
import { cuda, liveAllocations as onCuda } from '@array-interface/cuda';
import { elementwise } from '@array-interface/expressions';
import { host, liveAllocations as onHost } from '@array-interface/host';
import { liveAllocations as onSycl, sycl } from '@array-interface/sycl';
import { describe, expect, test, vi } from 'vitest';

const backends: readonly [string, Backend, () => number][] = [
  ['the host', host, onHost],
  ['the simulator', cuda, onCuda],
  ['SYCL', sycl, onSycl],
];

const newAxpy = () =>
  elementwise('axpy', { inputs: { a: 'T', x: 'T', y: 'T' }, outputs: { z: 'T' } }, 'z = a * x + y');
const axpy = newAxpy();

async function values(backend: Backend, array: BackendArray): Promise<number[]> {
  return [...((await backend.toTypedArray(array)) as Float64Array)];
}

describe.each(backends)('a prepared call on %s', (_, backend, live) => {
  test('computes from what is in the arrays when it is made, in any layout', async () => {
    const before = live();
    {
      using x = await backend.array([[1, 2, 3], [4, 5, 6]], { dtype: 'float32' }); // biome-ignore format: rows
      using y = await backend.array([10, 20], { dtype: 'float32' });
      using z = backend.empty([3, 2], 'float32');
      const step = axpy.prepare(backend, { a: 2, x: x.transpose().flip(0), y }, { out: { z } });
      await step();
      expect(await values(backend, z)).toEqual([16, 32, 14, 30, 12, 28]);
      await backend.fill(y, 0);
      await step();
      expect(await values(backend, z)).toEqual([6, 12, 4, 10, 2, 8]);
      await backend.fill(x, 1);
      await step();
      await step();
      expect(await values(backend, z)).toEqual([2, 2, 2, 2, 2, 2]);
    }
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before), 60_000);
  });

  test('is ordered with all other work, also while its code is built', async () => {
    using x = await backend.array([1, 2, 3], { dtype: 'float64' });
    const step = newAxpy().prepare(backend, { a: 2, x, y: 1 }, { out: { z: x } });
    const all = [step(), step(), backend.fill(x.slice([[0, 1]]), 0), step(), step()];
    await Promise.all(all);
    expect(await values(backend, x)).toEqual([3, 47, 63]);
  });

  test('takes its arrays and numbers once', async () => {
    using x = await backend.array([1, 2], { dtype: 'float64' });
    using z = backend.empty([2], 'float64');
    const given = { a: 2, x, y: 0 };
    const out = { z };
    const step = axpy.prepare(backend, given, { out });
    Object.assign(given, { a: 5, x: 7, w: 1 });
    Object.assign(out, { z: x });
    for (let count = 0; count < 3; count++) await step();
    expect([await values(backend, x), await values(backend, z)]).toEqual([
      [1, 2],
      [2, 4],
    ]);
  });

  test('throws what a call rejects with, rejects once an array is disposed of, and holds the memory of none', async () => {
    const before = live();
    const x = await backend.array([1, 2], { dtype: 'float64' });
    using y = await backend.array([3, 4], { dtype: 'float64' });
    expect(() => axpy.prepare(backend, { a: 1, x, y: y.flip() }, { out: { z: y } })).toThrow(
      expect.objectContaining({ code: 'ERR_OVERLAP', path: 'out.z' }),
    );
    const other = axpy.prepare(backend, { a: 1, x, y }, { out: { z: y } });
    await other();
    await other();
    x.dispose();
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before + 1), 60_000);
    for (let count = 0; count < 2; count++) {
      await expect(other()).rejects.toMatchObject({ code: 'ERR_DISPOSED', path: 'x' });
    }
    expect(await values(backend, y)).toEqual([5, 8]);
    y.dispose();
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before), 60_000);
  });

  test('may need temporary memory each time', async () => {
    using x = await backend.array([1, 2], { dtype: '>f4' });
    using z = await backend.array([0, 0], { dtype: '>f4' });
    const step = axpy.prepare(backend, { a: 2, x, y: z }, { out: { z } });
    for (let count = 0; count < 3; count++) await step();
    expect(await values(backend, z)).toEqual([6, 12]);
    using none = backend.empty([0], 'float32');
    const nothing = axpy.prepare(backend, { a: 2, x: none, y: 1 }, { out: { z: none } });
    for (let count = 0; count < 2; count++) await nothing();
  });

  test('names the queue on which it runs', async () => {
    using queue = backend.createQueue();
    using x = await backend.array([1, 2], { dtype: 'float64' });
    const step = axpy.prepare(backend, { a: 2, x, y: 0 }, { out: { z: x }, queue });
    for (let count = 0; count < 3; count++) await step();
    expect(await values(backend, x)).toEqual([8, 16]);
  });

  test('refuses a call without all outputs, and options that calls have not', () => {
    const given = { a: 1, x: 1, y: 1 };
    expect(() => axpy.prepare(backend, given, { out: {} as never })).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT', path: 'out.z' }),
    );
    expect(() => axpy.prepare(backend, given, undefined as never)).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT' }),
    );
    const wrong = { out: {}, signal: AbortSignal.abort() } as never;
    expect(() => axpy.prepare(backend, given, wrong)).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT', path: 'signal' }),
    );
  });
});

test('a prepared call sees that JavaScript memory is detached', async () => {
  const elements = new Float64Array([1, 2]);
  using x = host.asArray(elements);
  const step = axpy.prepare(host, { a: 2, x, y: 0 }, { out: { z: x } });
  for (let count = 0; count < 3; count++) await step();
  expect([...elements]).toEqual([8, 16]);
  structuredClone(elements, { transfer: [elements.buffer] });
  await expect(step()).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
});
