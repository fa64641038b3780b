import { readFileSync } from 'node:fs';
import type { Backend, BackendArray } from '@array-interface/core';
import { cuda, liveAllocations as onCuda } from '@array-interface/cuda';
import { host, liveAllocations as onHost } from '@array-interface/host';
import { liveAllocations as onSycl, sycl } from '@array-interface/sycl';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { covariance, frequencies, movingAverage, softmax, standardize } from '../src/statistics.js';

/** Made by `make-expected.py`. */
const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8'));

const table = Float64Array.from({ length: 240 }, (_, index) => {
  const [row, column] = [Math.floor(index / 4), index % 4];
  return ((row * 7 + column * 3) % 11) / 4 + Math.sqrt(row + 1) * column;
});

const backends: readonly [string, Backend, () => number][] = [
  ['host', host, onHost],
  ['cuda', cuda, onCuda],
  ['sycl', sycl, onSycl],
];

const results = new Map<string, unknown[]>();

describe.each(backends)('on %s', (name, backend, live) => {
  test('all are those of NumPy and SciPy', async () => {
    const before = live();
    {
      using x = await backend.array(table, { shape: [60, 4] });
      const { counts, edges } = await frequencies(backend, x, 8);
      const made = {
        standardize: await standardize(backend, x),
        softmax: await softmax(backend, x),
        covariance: await covariance(backend, x),
        counts,
        edges,
        movingAverage: await movingAverage(backend, x.slice([null, 2]) as never, 5),
      };
      const bits: unknown[] = [];
      for (const [own, array] of Object.entries(made) as [string, BackendArray & Disposable][]) {
        using result = array;
        expect(result.backend).toBe(backend);
        bits.push(own, await backend.toTypedArray(result));
        const isEqual = await backend.allClose(result, expected[own], { rtol: 1e-13, atol: 1e-14 });
        expect([own, isEqual]).toEqual([own, true]);
      }
      results.set(name, bits);
    }
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before), 60_000);
  });
});

afterAll(() => {
  const [first, ...others] = results.values();
  expect(results.size).toBe(backends.length);
  for (const other of others) expect(other).toEqual(first);
});
