import { describe, expect, test } from 'vitest';
import { gatherRows } from '../../src/plan/gather-rows.js';
import { expectRefusal } from '../support/refusal.js';

describe('gatherRows', () => {
  test('joins typed arrays along new axes, whatever part of a buffer they are', () => {
    const all = Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7);
    const rows = [all.subarray(1, 3), all.subarray(4, 6)];
    const matrix = gatherRows(rows);
    expect(matrix).toMatchObject({ shape: [2, 2], dtype: { typestr: '<f4' } });
    expect(new Float32Array(matrix?.buffer as ArrayBuffer)).toEqual(Float32Array.of(1, 2, 4, 5));
    expect(gatherRows([[rows[0]], [rows[1]], [rows[0]]])?.shape).toEqual([3, 1, 2]);
    expect(gatherRows([new BigInt64Array(2), new BigInt64Array(2)])?.dtype.typestr).toBe('<i8');
    expect(gatherRows([new Uint8Array(0)])?.shape).toEqual([1, 0]);
    class Bytes extends Uint8Array {} // as Node's Buffer is
    const clamped = [new Uint8Array(1), new Uint8ClampedArray(1), new Bytes(1)];
    expect(gatherRows(clamped)?.shape).toEqual([3, 1]);
  });

  test('leaves everything else to others', () => {
    for (const other of [1, [], [1], [[1], [2]], [[]], new Float32Array(1), [new ArrayBuffer(1)]]) {
      expect(gatherRows(other)).toBe(null);
    }
  });

  test('names the row that does not fit', () => {
    const row = new Float32Array(3);
    const ragged = [row, new Float32Array(2)];
    expectRefusal(() => gatherRows(ragged), 'ERR_SHAPE_MISMATCH', 'source[1]');
    const deeper = [
      [row, row],
      [row, new Float32Array(4)],
    ];
    expectRefusal(() => gatherRows(deeper), 'ERR_SHAPE_MISMATCH', 'source[1][1]');
    expectRefusal(() => gatherRows([[row, row], [row]]), 'ERR_SHAPE_MISMATCH', 'source[1]');
    for (const wrong of [new Float64Array(3), [1, 2, 3], 7, null, new DataView(row.buffer)]) {
      expectRefusal(() => gatherRows([row, wrong]), 'ERR_TYPE', 'source[1]');
    }
    const deep = Array.from({ length: 64 }).reduce<unknown>((inner) => [inner], row);
    expectRefusal(() => gatherRows(deep), 'ERR_RANK_MISMATCH', 'source');
  });
});
