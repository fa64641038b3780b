import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { broadcastTo, flip, makeDescriptor, reshape, slice, transpose } from '../../src/index.js';
import { addresses, arrays } from '../support/elements.js';
import { expectRefusal, refusal } from '../support/refusal.js';

const make = (changes: object = {}) =>
  makeDescriptor({ pointer: 4096n, shape: [6, 4], dtype: 'float32', ...changes });

/** Divides a number into factors, chosen by `keys`. */
function factors(size: number, keys: readonly number[]): number[] {
  const shape: number[] = [];
  let left = size;
  for (const key of keys) {
    const divisors = Array.from({ length: left }, (_, i) => i + 1).filter((n) => left % n === 0);
    shape.push(divisors[key % divisors.length] as number);
    left /= shape.at(-1) as number;
  }
  return [...shape, left];
}

const keys = fc.array(fc.nat(), { maxLength: 3 });

describe('reshape', () => {
  it('has the same elements in the same order, or there is no view', () => {
    let views = 0;
    fc.assert(
      fc.property(arrays, keys, (array, choice) => {
        const shape = array.size === 0 ? [0, ...choice] : factors(array.size, choice);
        try {
          const view = reshape(array, shape);
          expect(view.shape).toEqual(shape);
          expect(addresses(view)).toEqual(addresses(array));
          views++;
        } catch (error) {
          expect(error).toMatchObject({ code: 'ERR_NOT_A_VIEW', path: 'shape' });
          expect(hasStrides(addresses(array), shape)).toBe(false);
        }
      }),
      random(500),
    );
    expect(views).toBeGreaterThan(0);
  });

  it('goes there and back', () => {
    fc.assert(
      fc.property(arrays, keys, (array, choice) => {
        const dense = makeDescriptor({ ...array, byteStrides: null, mask: null });
        const shape = dense.size === 0 ? [3, 0] : factors(dense.size, choice);
        expect(reshape(reshape(dense, shape), dense.shape)).toEqual(dense);
        expect(reshape(array, array.shape).size).toBe(array.size);
        expect(addresses(reshape(flip(reshape(dense, [-1])), [-1]))).toEqual(
          addresses(dense).reverse(),
        );
      }),
      random(),
    );
  });

  it('counts the first index fastest in order F', () => {
    fc.assert(
      fc.property(arrays, keys, (array, choice) => {
        const dense = transpose(makeDescriptor({ ...array, byteStrides: null }));
        const shape = dense.size === 0 ? [2, 0] : factors(dense.size, choice);
        const view = reshape(dense, shape, { order: 'F' });
        expect(addresses(transpose(view))).toEqual(addresses(transpose(dense)));
      }),
      random(),
    );
    const columns = make({ byteStrides: [4, 24] });
    expect(reshape(columns, [24], { order: 'F' }).byteStrides).toEqual([4]);
    expectRefusal(() => reshape(columns, [24]), 'ERR_NOT_A_VIEW', 'shape');
  });

  it('fills in what is left', () => {
    expect(reshape(make(), [-1]).shape).toEqual([24]);
    expect(reshape(make(), [2, -1, 3])).toMatchObject({
      shape: [2, 4, 3],
      byteStrides: [48, 12, 4],
    });
    expect(reshape(make(), [24, -1, 1]).shape).toEqual([24, 1, 1]);
    expect(reshape(make({ shape: [0, 4] }), [-1, 7]).shape).toEqual([0, 7]);
    expect(reshape(make({ shape: [1, 1] }), []).shape).toEqual([]);
    expect(reshape(make({ shape: [] }), [1, -1]).byteStrides).toEqual([4, 4]);
  });

  it('says which axes cannot be merged', () => {
    const part = slice(make({ shape: [2, 3, 4] }), [null, [0, 2]]);
    expect(refusal(() => reshape(part, [16])).message).toMatch(
      /axes 0 and 1 of \[2,2,4\] separate/,
    );
    expect(refusal(() => reshape(part, [4, 4])).message).toMatch(/axes 0 and 1 /);
    expect(reshape(part, [2, 8]).byteStrides).toEqual([48, 4]);
    const gap = make({ shape: [2, 1, 3, 4], byteStrides: [96, 5, 32, 4] });
    expect(refusal(() => reshape(gap, [2, 12])).message).toMatch(/axes 2 and 3 /);
    expect(refusal(() => reshape(gap, [2, 12], { order: 'F' })).message).toMatch(/axes 2 and 3 /);
    expect(reshape(gap, [6, 4]).byteStrides).toEqual([32, 4]);
  });

  it('keeps strides countable if an axis of length 1 would have a longer one', () => {
    const wide = make({ shape: [2], byteStrides: [2 ** 53 - 8], dtype: 'uint8' });
    expect(reshape(wide, [1, 2]).byteStrides).toEqual([0, 2 ** 53 - 8]);
  });

  it.each([
    [[5], 'ERR_SHAPE_MISMATCH', 'shape'],
    [[-1, 5], 'ERR_SHAPE_MISMATCH', 'shape'],
    [[-1, -1], 'ERR_ARGUMENT', 'shape'],
    [[-1, 0], 'ERR_SHAPE_MISMATCH', 'shape'],
    [[0], 'ERR_SHAPE_MISMATCH', 'shape'],
    [[2 ** 53 - 1, 2 ** 53 - 1], 'ERR_SHAPE_MISMATCH', 'shape'],
    [[6, -2], 'ERR_NEGATIVE_DIMENSION', 'shape[1]'],
    [[6, 4.5], 'ERR_TYPE', 'shape[1]'],
    [24, 'ERR_TYPE', 'shape'],
    [undefined, 'ERR_TYPE', 'shape'],
  ] as const)('refuses %o', (shape, code, path) => {
    expectRefusal(() => reshape(make(), shape as never), code, path);
  });

  it('takes bigints, like every reader of a shape', () => {
    expect(reshape(make(), [6, 4n as never]).shape).toEqual([6, 4]);
    expect(broadcastTo(make({ shape: [1] }), [3n as never]).shape).toEqual([3]);
  });

  it('says what would fit', () => {
    const message = (shape: number[]) => refusal(() => reshape(make(), shape)).message;
    expect(message([5, -1])).toBe(
      '[ERR_SHAPE_MISMATCH] shape: expected a shape of 24 elements, got [5,-1]',
    );
    expect(message([-1, -1])).toBe('[ERR_ARGUMENT] shape: expected at most one -1, got [-1,-1]');
  });

  it('refuses other orders, and more axes than NumPy allows', () => {
    expectRefusal(() => reshape(make(), [24], { order: 'A' as never }), 'ERR_ARGUMENT', 'order');
    const ones = new Array<number>(65).fill(1);
    expectRefusal(() => reshape(make(), [24, ...ones]), 'ERR_RANK_MISMATCH', 'shape');
    expect(reshape(make(), [...ones.slice(2), 24]).ndim).toBe(64);
  });

  it('reshapes the mask as well, also of bits, if that is a view', () => {
    const mask = make({ dtype: 'bool', pointer: 64n });
    expect(reshape(make({ mask }), [3, 8]).mask).toMatchObject({ shape: [3, 8], pointer: 64n });
    const repeated = make({ mask: make({ shape: [4], dtype: 'bool' }) });
    expect(reshape(repeated, [3, 2, 4]).mask?.byteStrides).toEqual([0, 0, 1]);
    const error = refusal(() => reshape(repeated, [24]));
    expect(error).toMatchObject({ code: 'ERR_MASK', path: 'mask' });
    expect(error.cause).toMatchObject({ code: 'ERR_NOT_A_VIEW' });
  });
});

/** Whether some strides lead through all the addresses in C order of the indices. */
function hasStrides(places: readonly bigint[], shape: readonly number[]): boolean {
  let step = places.length;
  const strides = shape.map((length) => {
    step /= length;
    return length === 1 ? 0n : (places[step] as bigint) - (places[0] as bigint);
  });
  return places.every((place, position) => {
    let rest = places.length;
    let at = places[0] as bigint;
    let left = position;
    for (const [axis, length] of shape.entries()) {
      rest /= length;
      at += BigInt(Math.floor(left / rest)) * (strides[axis] as bigint);
      left %= rest;
    }
    return at === place;
  });
}
