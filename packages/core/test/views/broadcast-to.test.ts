import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { broadcastTo, makeDescriptor, slice, toCudaArrayInterface } from '../../src/index.js';
import { addresses, addressOf, arrays, indices } from '../support/elements.js';
import { expectRefusal } from '../support/refusal.js';

const make = (changes: object = {}) =>
  makeDescriptor({ pointer: 4096n, shape: [3, 1], dtype: 'float32', ...changes });

/** An array and a shape that it broadcasts to. */
const pairs = fc.tuple(arrays, fc.array(fc.nat({ max: 3 }), { maxLength: 2 }), fc.nat({ max: 3 }));

describe('broadcastTo', () => {
  it('repeats axes of length 1, and adds first axes', () => {
    fc.assert(
      fc.property(pairs, ([array, first, times]) => {
        const target = [...first, ...array.shape.map((length) => (length === 1 ? times : length))];
        const view = broadcastTo(array, target);
        expect(view.shape).toEqual(target);
        for (const index of indices(target)) {
          const own = index.slice(first.length).map((i, axis) => (array.shape[axis] === 1 ? 0 : i));
          expect(addressOf(view, index)).toBe(addressOf(array, own));
        }
        expect(view).toMatchObject({ readOnly: true, stream: array.stream });
        expect(view.size === 0 ? array.extent : view.extent).toEqual(array.extent);
      }),
      random(),
    );
  });

  it('can be sliced back to the array', () => {
    fc.assert(
      fc.property(arrays, fc.integer({ min: 1, max: 4 }), (array, times) => {
        const target = [times, ...array.shape.map((length) => (length === 1 ? times : length))];
        const back = slice(broadcastTo(array, target), [
          times - 1,
          ...array.shape.map((length) => (length === 1 ? ([0, 1] as const) : null)),
        ]);
        expect(back.shape).toEqual(array.shape);
        expect(addresses(back)).toEqual(addresses(array));
      }),
      random(),
    );
  });

  it('is read-only, even if nothing is repeated', () => {
    expect(broadcastTo(make(), [3, 1]).readOnly).toBe(true);
    expect(toCudaArrayInterface(broadcastTo(make(), [2, 3, 5]))).toMatchObject({
      shape: [2, 3, 5],
      strides: [0, 4, 0],
      data: [4096n, true],
    });
  });

  it.each([
    [[3], 'ERR_SHAPE_MISMATCH', 'shape'],
    [[], 'ERR_SHAPE_MISMATCH', 'shape'],
    [[1, 5], 'ERR_SHAPE_MISMATCH', 'shape'],
    [[6, 1], 'ERR_SHAPE_MISMATCH', 'shape'],
    [[0, 1], 'ERR_SHAPE_MISMATCH', 'shape'],
    [[3, -1], 'ERR_NEGATIVE_DIMENSION', 'shape[1]'],
    [[3, 1.5], 'ERR_TYPE', 'shape[1]'],
    [['3', 1], 'ERR_TYPE', 'shape[0]'],
    [3, 'ERR_TYPE', 'shape'],
  ] as const)('refuses %o', (shape, code, path) => {
    expectRefusal(() => broadcastTo(make(), shape as never), code, path);
  });

  it('refuses sizes that cannot be counted, unless there are no elements', () => {
    expectRefusal(() => broadcastTo(make(), [2 ** 52, 3, 1]), 'ERR_OVERFLOW', 'shape');
    expectRefusal(() => broadcastTo(make(), [2 ** 50, 3, 1]), 'ERR_OVERFLOW', 'shape');
    expect(broadcastTo(make(), [2 ** 52, 3, 0]).size).toBe(0);
    expect(broadcastTo(make(), [0, ...new Array(40).fill(2 ** 52), 3, 1]).size).toBe(0);
    expect(broadcastTo(make(), [2 ** 49, 3, 1]).size).toBe(3 * 2 ** 49);
    const wide = [...new Array<number>(63).fill(1), 3, 1];
    expectRefusal(() => broadcastTo(make(), wide), 'ERR_RANK_MISMATCH', 'shape');
  });

  it('repeats the mask too', () => {
    const mask = make({ shape: [1], dtype: 'bool', pointer: 64n });
    expect(broadcastTo(make({ mask }), [2, 3, 4]).mask).toMatchObject({
      shape: [2, 3, 4],
      byteStrides: [0, 0, 0],
      pointer: 64n,
    });
  });
});
