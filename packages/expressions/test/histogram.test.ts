import type { Backend, BackendArray } from '@array-interface/core';
import { cuda, liveAllocations as onCuda } from '@array-interface/cuda';
import { bincount, histogram, searchsorted } from '@array-interface/expressions';
import { host, liveAllocations as onHost } from '@array-interface/host';
import { liveAllocations as onSycl, sycl } from '@array-interface/sycl';
import { describe, expect, test, vi } from 'vitest';

// testing/peers compares with NumPy at random.

const backends: readonly [string, Backend, () => number][] = [
  ['the host', host, onHost],
  ['the simulator', cuda, onCuda],
  ['SYCL', sycl, onSycl],
];

type HistogramArguments = [BackendArray, Parameters<typeof histogram>[2]?];

async function values(backend: Backend, array: BackendArray): Promise<unknown[]> {
  return [array.dtype.name, ...((await backend.toTypedArray(array)) as Float64Array)];
}

describe.each(backends)('on %s', (_, backend, live) => {
  test('histograms of equal bins and of edges', async () => {
    const before = live();
    {
      using x = await backend.array([[1, 2, 2], [4, 3.5, 1.5]], { dtype: 'float32' }); // biome-ignore format: rows
      const of = async (options: Parameters<typeof histogram>[2], array = x as BackendArray) => {
        const made = await histogram(backend, array, options);
        using counts = made.counts;
        using edges = made.edges;
        return [await values(backend, counts), await values(backend, edges)];
      };
      expect(await of({ bins: 3 })).toEqual([
        ['int64', 2n, 2n, 2n],
        ['float32', 1, 2, 3, 4],
      ]);
      expect(await of({ bins: 2, range: [0, 2] }, x.transpose())).toEqual([
        ['int64', 0n, 4n],
        ['float32', 0, 1, 2],
      ]);
      expect(await of({ bins: 2, density: true })).toEqual([
        ['float64', 4 / 1.5 / 6, 2 / 1.5 / 6],
        ['float32', 1, 2.5, 4],
      ]);
      using own = await backend.array([-1, 2, 4], { dtype: 'int8' });
      expect(await of({ edges: own })).toEqual([
        ['int64', 2n, 4n],
        ['int8', -1, 2, 4],
      ]);
      expect(await of({ edges: own, weights: x })).toEqual([
        ['float32', 2.5, 11.5],
        ['int8', -1, 2, 4],
      ]);
      const [counts] = await of({});
      expect(counts).toHaveLength(11);
      using nothing = backend.empty([0], 'int16');
      expect(await of({ bins: 1 }, nothing)).toEqual([
        ['int64', 0n],
        ['float64', 0, 1],
      ]);
      using same = await backend.full([3], 7, 'uint8');
      expect(await of({ bins: 2 }, same)).toEqual([
        ['int64', 0n, 3n],
        ['float64', 6.5, 7, 7.5],
      ]);
      using special = await backend.array([Number.NaN, Number.POSITIVE_INFINITY, 1]);
      expect(await of({ bins: 1, range: [0, 1] }, special)).toEqual([
        ['int64', 1n],
        ['float64', 0, 1],
      ]);
    }
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before), 60_000);
  }, 120_000);

  test('edges that do not rise, and ranges without room for the bins', async () => {
    const before = live();
    {
      using falling = await backend.array([0, 2, 1, 3], { dtype: 'float32' });
      using unknown = await backend.array([0, Number.NaN]);
      using wide = await backend.array([-1.7e308, 1.7e308]);
      using infinite = await backend.array([1, Number.POSITIVE_INFINITY], { dtype: 'float32' });
      using near = await backend.array([1, 1 + 2 ** -52]);
      const refused = async (path: string, text: string, ...given: HistogramArguments) => {
        const [x, options] = given;
        const fault = await histogram(backend, x, options).catch((error) => error);
        expect([fault.code, fault.path]).toEqual(['ERR_ARGUMENT', path]);
        expect(fault.message).toContain(text);
      };
      await refused('edges[1]', 'expected edges that rise, got 2 before 1', near, {
        edges: falling,
      });
      await refused('edges[0]', 'got 0 before NaN', near, { edges: unknown });
      await refused('x', 'expected a finite range, got edges from NaN to NaN', unknown);
      await refused('x', 'to Infinity', infinite, { bins: 1 });
      await refused('x', 'expected a finite range', wide);
      await refused('range', 'expected a finite range', near, { range: [-1.7e308, 1.7e308] });
      await refused('range', 'edges from 0 to Infinity', infinite, { range: [0, 1e39] });
      await refused('bins', 'got 2 with edges from 1 to', near, { bins: 2 });
      await refused('bins', 'got 9 with', near, { bins: 9, range: [1, 1 + 2 ** -50] });
      using flat = await backend.array([0, 1, 1, Number.POSITIVE_INFINITY]);
      const { counts, edges } = await histogram(backend, near, { edges: flat });
      expect(await values(backend, counts)).toEqual(['int64', 0n, 0n, 2n]);
      counts.dispose();
      edges.dispose();
    }
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before), 60_000);
  }, 120_000);

  test('densities of integers as wide as their type', async () => {
    for (const [type, low, high] of [
      ['int8', -128n, 127n],
      ['uint8', 0n, 255n],
      ['int64', -(2n ** 63n), 2n ** 63n - 1n],
      ['bool', 0n, 1n],
    ] as const) {
      const ends = type.endsWith('64') ? [low, high] : [Number(low), Number(high)];
      using x = await backend.array(type === 'bool' ? [false, true] : ends, { dtype: type });
      const { counts, edges } = await histogram(backend, x, { edges: x, density: true });
      expect(await values(backend, counts)).toEqual(['float64', 1 / Number(high - low)]);
      counts.dispose();
      edges.dispose();
    }
  }, 120_000);

  test('counts of small integers', async () => {
    using x = await backend.array([[1, 3], [1, 0]], { dtype: 'uint8' }); // biome-ignore format: rows
    using weights = await backend.array([[0.5, 2], [4, 8]], { dtype: 'float64' }); // biome-ignore format: rows
    using counts = await bincount(backend, x);
    expect(await values(backend, counts)).toEqual(['int64', 1n, 2n, 0n, 1n]);
    using two = await bincount(backend, x, { length: 2, weights });
    expect(await values(backend, two)).toEqual(['float64', 8, 4.5]);
    using many = await bincount(backend, x, { length: 6 });
    expect(await values(backend, many)).toEqual(['int64', 1n, 2n, 0n, 1n, 0n, 0n]);
    using nothing = await bincount(backend, backend.empty([0], 'int32'));
    expect(await values(backend, nothing)).toEqual(['int64']);
    using negative = await backend.array([-1, 1], { dtype: 'int8' });
    await expect(bincount(backend, negative)).rejects.toMatchObject({
      code: 'ERR_ARGUMENT',
      path: 'x',
    });
    using others = await bincount(backend, negative, { length: 2 });
    expect(await values(backend, others)).toEqual(['int64', 0n, 1n]);
  }, 60_000);

  test('places in a sorted vector', async () => {
    using sorted = await backend.array([1, 2, 2, 5, Number.NaN]);
    using x = await backend.array([[2, 9, 0], [5, Number.NaN, 1]]); // biome-ignore format: rows
    using left = await searchsorted(backend, sorted, x);
    expect([left.shape, await values(backend, left)]).toEqual([
      [2, 3],
      ['int64', 1n, 4n, 0n, 3n, 4n, 0n],
    ]);
    using right = await searchsorted(backend, sorted, x.transpose(), { side: 'right' });
    expect([right.shape, await values(backend, right)]).toEqual([
      [3, 2],
      ['int64', 3n, 4n, 4n, 5n, 0n, 1n],
    ]);
  }, 60_000);

  test('what is requested later is ordered after it', async () => {
    using x = await backend.array([1, 2, 4], { dtype: 'float32' });
    const made = histogram(backend, x, { bins: 1 });
    const filled = backend.fill(x, 100);
    using counts = (await made).counts;
    using edges = (await made).edges;
    await filled;
    expect([await values(backend, counts), await values(backend, edges)]).toEqual([
      ['int64', 3n],
      ['float32', 1, 4],
    ]);
  }, 60_000);
});

test('what is refused keeps nothing', async () => {
  using x = await host.array([1, 2, 3], { dtype: 'float32' });
  using table = await host.ones([2, 2], 'float32');
  using z = await host.ones([2], 'complex64');
  using great = await host.array([0, 2n ** 63n], { dtype: 'uint64' });
  const before = onHost();
  const refused = (code: string, path: string, work: Promise<unknown>) =>
    expect(work).rejects.toMatchObject({ code, path });
  await refused('ERR_ARGUMENT', 'bins', histogram(host, x, { bins: 0 }));
  await refused('ERR_ARGUMENT', 'range', histogram(host, x, { range: [2, 1] }));
  await refused('ERR_ARGUMENT', 'edges', histogram(host, x, { bins: 2, edges: x }));
  await refused('ERR_ARGUMENT', 'bin', histogram(host, x, { bin: 2 } as never));
  await refused('ERR_ARGUMENT', 'x', histogram(host, 3 as never));
  await refused('ERR_SHAPE_MISMATCH', 'edges', histogram(host, x, { edges: table }));
  await refused('ERR_SHAPE_MISMATCH', 'edges', histogram(host, x, { edges: x.slice([[0, 1]]) }));
  await refused('ERR_SHAPE_MISMATCH', 'weights', histogram(host, x, { weights: table }));
  await refused('ERR_DTYPE_UNSUPPORTED', 'x', histogram(host, z));
  await refused('ERR_DTYPE_UNSUPPORTED', 'x', bincount(host, x));
  await refused('ERR_DTYPE_UNSUPPORTED', 'x', bincount(host, x, { length: 3 }));
  await refused('ERR_ARGUMENT', 'length', bincount(host, x, { length: -1 }));
  await refused('ERR_ARGUMENT', 'side', searchsorted(host, x, x, { side: 'middle' as never }));
  await refused('ERR_SHAPE_MISMATCH', 'sorted', searchsorted(host, table, x));
  await refused('ERR_DTYPE_UNSUPPORTED', 'sorted', searchsorted(host, z, x));
  await refused('ERR_DTYPE_UNSUPPORTED', 'edges', histogram(host, x, { edges: z }));
  await refused('ERR_OVERFLOW', 'x', bincount(host, great));
  await refused('ERR_OVERFLOW', 'length', bincount(host, great, { length: 2 ** 53 - 1 }));
  await refused('ERR_DTYPE_UNSUPPORTED', 'x', searchsorted(host, x, z));
  const controller = new AbortController();
  controller.abort(new Error('enough'));
  const { signal } = controller;
  await expect(histogram(host, x, { signal })).rejects.toThrow('enough');
  await expect(bincount(host, x, { signal })).rejects.toThrow('enough');
  await vi.waitFor(() => expect(onHost()).toBeLessThanOrEqual(before), 60_000);
});
