import type { Backend } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import { describe, expect, test } from 'vitest';
import { stepOf } from '../src/jacobi.js';

const backends: readonly [string, Backend][] = [
  ['host', host],
  ['cuda', cuda],
  ['sycl', sycl],
];

/** The definition. */
function reference(now: Float64Array, width: number): Float64Array {
  const rows = now.length / width;
  const at = (row: number, column: number) => now[row * width + column] as number;
  const isEdge = (row: number, column: number) =>
    row === 0 || column === 0 || row === rows - 1 || column === width - 1;
  return now.map((value, index) => {
    const [row, column] = [Math.floor(index / width), index % width];
    if (isEdge(row, column)) return value;
    const vertical = at(row - 1, column) + at(row + 1, column);
    const horizontal = at(row, column - 1) + at(row, column + 1);
    return (vertical + horizontal) / 4;
  });
}

describe.each(backends)('a step on %s', (_, backend) => {
  test.each([
    [3, 3],
    [5, 7],
    [2, 9],
    [40, 1],
    [33, 65],
  ])('of %i x %i elements is the mean of the neighbours, in every bit', async (rows, columns) => {
    const values = Float64Array.from(
      { length: rows * columns },
      (_, at) => Math.sin(at) / (at + 1),
    );
    using now = await backend.array(values, { shape: [rows, columns] });
    using next = await backend.array(values, { shape: [rows, columns] });
    await stepOf(backend, now, next)();
    expect(await backend.toTypedArray(next)).toEqual(reference(values, columns));
    expect(await backend.toTypedArray(now)).toEqual(values);
  });
});
