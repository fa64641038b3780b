import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ArrayInterfaceError,
  broadcastArrays,
  broadcastShapes,
  broadcastTo,
  makeDescriptor,
} from '../../src/index.js';
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
      'arrays[2].shape[0]',
    );
    expectRefusal(
      () => broadcastArrays(make(0), make(2)),
      'ERR_SHAPE_MISMATCH',
      'arrays[1].shape[0]',
    );
    expectRefusal(() => broadcastArrays(make(1), [] as never), 'ERR_TYPE', 'arrays[1]');
    expectRefusal(() => broadcastArrays(make(2 ** 30), make(2 ** 30, 1)), 'ERR_OVERFLOW', 'shape');
  });
});

describe('broadcastShapes', () => {
  it('is the shape that arrays of these shapes get', () => {
    const lengths = fc.array(fc.constantFrom(0, 1, 1, 2, 3), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(lengths, { maxLength: 4 }), (shapes) => {
        const [all, made] = [
          () => broadcastShapes(...shapes),
          shapes.map((shape) => make(...shape)),
        ];
        const path = errorOf(all)?.path?.replace(/^shapes(\[\d+\])/, 'arrays$1.shape') ?? null;
        expect(errorOf(() => broadcastArrays(...made))?.path ?? null).toBe(path);
        if (path !== null) return;
        expect(broadcastArrays(...made).map(({ shape }) => shape)).toEqual(shapes.map(all));
      }),
      random(1000),
    );
    expect(broadcastShapes()).toEqual([]);
    expect(broadcastShapes([2 ** 40], [2 ** 40, 1])).toEqual([2 ** 40, 2 ** 40]);
  });

  it('says which axis does not fit', () => {
    expectRefusal(
      () => broadcastShapes([3, 4], [4], [3, 1, 5]),
      'ERR_SHAPE_MISMATCH',
      'shapes[2][2]',
    );
    expectRefusal(() => broadcastShapes([0], [2]), 'ERR_SHAPE_MISMATCH', 'shapes[1][0]');
    expectRefusal(() => broadcastShapes([1], [-1]), 'ERR_NEGATIVE_DIMENSION', 'shapes[1][0]');
    expectRefusal(() => broadcastShapes(3 as never), 'ERR_TYPE', 'shapes[0]');
  });
});

function errorOf(call: () => unknown): ArrayInterfaceError | null {
  try {
    call();
    return null;
  } catch (error) {
    return error as ArrayInterfaceError;
  }
}
