import type { Backend } from '@array-interface/core';
import { cuda, liveAllocations as onCuda } from '@array-interface/cuda';
import { host, liveAllocations as onHost } from '@array-interface/host';
import { liveAllocations as onSycl, sycl } from '@array-interface/sycl';
import { describe, expect, test, vi } from 'vitest';
import { standardize } from '../src/standardize.js';

const backends: readonly [string, Backend, () => number][] = [
  ['host', host, onHost],
  ['cuda', cuda, onCuda],
  ['sycl', sycl, onSycl],
];

/** The definition, in double. */
function reference(rows: readonly (readonly number[])[]): number[][] {
  const columns = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? 0));
  const scaled = columns.map((column) => {
    const mean = column.reduce((sum, value) => sum + value) / column.length;
    const variance = column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length;
    return column.map((value) => (value - mean) / (Math.sqrt(variance) || 1));
  });
  return rows.map((_, row) => scaled.map((column) => column[row] ?? 0));
}

describe.each(backends)('standardize on %s', (_, backend, live) => {
  test('takes lists of arrays of every backend, dtype and layout', async () => {
    const before = live();
    {
      using ours = await backend.array(
        [
          [1, 10, 7],
          [2, 30, 7],
        ],
        { dtype: 'int16' },
      );
      using onHost = await host.array(
        [
          [4, 5, 6],
          [1, 2, 3],
          [7, 7, 7],
        ],
        { dtype: 'float32' },
      );
      const tables = [ours.flip(0), onHost.transpose().slice([[0, 2]])];
      using result = await standardize(tables, backend);
      const rows = [
        [2, 30, 7],
        [1, 10, 7],
        [4, 1, 7],
        [5, 2, 7],
      ];
      expect(result.backend).toBe(backend);
      expect(result.dtype.name).toBe('float32');
      expect(await backend.allClose(result, reference(rows))).toBe(true);
    }
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before), 60_000); // freed once work has ended
  });

  test('refuses tables that do not fit, and keeps nothing', async () => {
    const before = live();
    const wrong = standardize([new Float32Array(3), new Float32Array(3)], backend);
    await expect(wrong).rejects.toThrow(new RangeError('expected tables of 2 axes, got shape 6'));
    using wide = await backend.zeros([2, 3], 'float32');
    using narrow = await backend.zeros([2, 2], 'float32');
    await expect(standardize([wide, narrow], backend)).rejects.toMatchObject({
      code: 'ERR_SHAPE_MISMATCH',
    });
    await backend.synchronize();
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before + 2), 60_000);
  });
});

test('the bits are the same on every backend', async () => {
  const values = Float32Array.from({ length: 300 * 7 }, (_, i) => Math.sin(i * i) * 10 ** (i % 7));
  using table = await host.array(values, { shape: [300, 7] });
  const [onHost, ...others] = await Promise.all(
    backends.map(async ([, backend]) => {
      using result = await standardize([table.flip(), table], backend);
      return backend.toTypedArray(result);
    }),
  );
  expect(onHost).toHaveLength(2 * values.length);
  for (const other of others) expect(other).toEqual(onHost);
});
