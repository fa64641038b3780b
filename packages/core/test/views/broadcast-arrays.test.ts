import { describe, expect, it } from 'vitest';
import { broadcastArrays, broadcastTo, makeDescriptor } from '../../src/index.js';
import { expectRefusal } from '../support/refusal.js';

const make = (...shape: number[]) => makeDescriptor({ pointer: 4096n, shape, dtype: 'float32' });

describe('broadcastArrays', () => {
  it('gives all arrays one shape, each from its own memory', () => {
    const [row, column, scalar] = [make(4), make(3, 1), make()];
    const shape = [3, 4];
    expect(broadcastArrays(row, column, scalar)).toEqual(
      [row, column, scalar].map((array) => broadcastTo(array, shape)),
    );
    expect(broadcastArrays(make(2, 1), make(0)).map((view) => view.shape)).toEqual([
      [2, 0],
      [2, 0],
    ]);
    expect(broadcastArrays(make(1), make(5, 1, 1))[0]?.shape).toEqual([5, 1, 1]);
  });

  it('returns an array that has the shape as it is', () => {
    const table = make(3, 4);
    const [same, row] = broadcastArrays(table, make(4));
    expect(same).toBe(table);
    expect(row?.readOnly).toBe(true);
    expect(broadcastArrays()).toEqual([]);
  });

  it('says which array does not fit', () => {
    expectRefusal(
      () => broadcastArrays(make(3, 4), make(4), make(3)),
      'ERR_SHAPE_MISMATCH',
      'arrays[2]',
    );
    expectRefusal(() => broadcastArrays(make(0), make(2)), 'ERR_SHAPE_MISMATCH', 'arrays[1]');
    expectRefusal(() => broadcastArrays(make(1), [] as never), 'ERR_TYPE', 'arrays[1]');
    expectRefusal(() => broadcastArrays(make(2 ** 30), make(2 ** 30, 1)), 'ERR_OVERFLOW', 'shape');
  });
});
