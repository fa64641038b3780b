import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDescriptor, type SliceRange, slice } from '../../src/index.js';
import { addresses, addressOf, arrays, indices, syclArrays } from '../support/elements.js';
import { expectRefusal } from '../support/refusal.js';

const make = (changes: object = {}) =>
  makeDescriptor({ pointer: 4096n, shape: [6, 4], dtype: 'float32', ...changes });

const part = fc.option(fc.integer({ min: -8, max: 8 }));
const step = fc.option(fc.integer({ min: -4, max: 4 }).filter((n) => n !== 0));
const range: fc.Arbitrary<SliceRange> = fc.oneof(fc.constant(null), fc.tuple(part, part, step));

/** The indices that Python's `start:stop:step` names, by walking. */
function named(
  length: number,
  [start, stop, by]: readonly (number | null | undefined)[],
): number[] {
  const walk = by ?? 1;
  const from = (at: number) => (at < 0 ? at + length : at);
  const found: number[] = [];
  const end = stop === null || stop === undefined ? null : from(stop);
  let at = start === null || start === undefined ? (walk > 0 ? 0 : length - 1) : from(start);
  if (walk > 0) at = Math.max(at, 0);
  else at = Math.min(at, length - 1);
  for (; at >= 0 && at < length; at += walk) {
    if (end !== null && (walk > 0 ? at >= end : at <= end)) break;
    found.push(at);
  }
  return found;
}

describe('slice', () => {
  it('takes what Python takes', () => {
    fc.assert(
      fc.property(arrays, fc.array(range, { maxLength: 4 }), (array, all) => {
        const ranges = all.slice(0, array.ndim);
        const view = slice(array, ranges);
        const chosen = array.shape.map((length, axis) =>
          named(length, (ranges[axis] ?? []) as readonly (number | null)[]),
        );
        expect(view.shape).toEqual(chosen.map((found) => found.length));
        const wanted = indices(view.shape).map((index) =>
          addressOf(
            array,
            index.map((i, axis) => chosen[axis]?.[i] as number),
          ),
        );
        expect(addresses(view)).toEqual(wanted);
        expect(view).toMatchObject({ readOnly: array.readOnly, stream: array.stream });
      }),
      random(),
    );
  });

  it('never leaves the extent, and keeps the base', () => {
    fc.assert(
      fc.property(syclArrays, fc.array(range, { maxLength: 4 }), (array, all) => {
        const view = slice(array, all.slice(0, array.ndim));
        const shift = Number(view.pointer - array.pointer);
        expect(shift).toBeGreaterThanOrEqual(array.extent[0]);
        expect(shift + view.extent[1]).toBeLessThanOrEqual(array.extent[1]);
        expect(shift + view.extent[0]).toBeGreaterThanOrEqual(array.extent[0]);
        const { pointer, elementOffset } = view.base ?? { pointer: 0n, elementOffset: 0 };
        expect(pointer + BigInt(elementOffset * array.itemsize)).toBe(view.pointer);
        expect(view.base?.pointer).toBe(array.base?.pointer);
      }),
      random(),
    );
  });

  it('drops the axis of an index', () => {
    expect(slice(make(), [2])).toMatchObject({
      shape: [4],
      pointer: 4096n + 32n,
      byteStrides: [4],
    });
    expect(slice(make(), [null, -1])).toMatchObject({ shape: [6], pointer: 4096n + 12n });
    expect(slice(make(), [5, 3])).toMatchObject({ shape: [], pointer: 4096n + 92n });
  });

  it('clamps as NumPy does', () => {
    const shape = (...ranges: SliceRange[]) => slice(make(), ranges).shape;
    expect(shape([-100, 100])).toEqual([6, 4]);
    expect(shape([4, 2], [null, null, -3])).toEqual([0, 4 - 2]);
    expect(shape([null, null, 2 ** 53 - 1])).toEqual([1, 4]);
    expect(shape([2 ** 53 - 1, -(2 ** 53 - 1), -(2 ** 53 - 1)])).toEqual([1, 4]);
    expect(slice(make({ shape: [2 ** 50], dtype: 'uint8' }), [[0, null, 3]]).shape).toEqual([
      Number((2n ** 50n + 2n) / 3n),
    ]);
  });

  it('loses the base if it would not be whole elements away or not fit', () => {
    const base = { pointer: 4096n, elementOffset: 0 };
    const odd = make({ byteStrides: [18, 4], base });
    expect(slice(odd, [[1, null]]).base).toBeNull();
    expect(slice(odd, [[2, null]]).base).toEqual({ pointer: 4096n, elementOffset: 9 });
  });

  it.each([
    [[null, null, null], 'ranges'],
    [5, 'ranges'],
    [{ length: 1 }, 'ranges'],
    [[6], 'ranges[0]'],
    [[-7], 'ranges[0]'],
    [[0.5], 'ranges[0]'],
    [[1n], 'ranges[0]'],
    [['0:2'], 'ranges[0]'],
    [[[1]], 'ranges[0]'],
    [[[0, 1, 2, 3]], 'ranges[0]'],
    [[null, [0, 1, 0]], 'ranges[1][2]'],
    [[[Number.NaN, 1]], 'ranges[0][0]'],
    [[[0, '1']], 'ranges[0][1]'],
    [[[0, 2 ** 53]], 'ranges[0][1]'],
  ])('refuses %o', (ranges, path) => {
    expectRefusal(() => slice(make(), ranges as never), 'ERR_ARGUMENT', path);
  });

  it('slices the mask as well', () => {
    const mask = make({ dtype: 'bool', pointer: 64n });
    const view = slice(make({ mask }), [[1, 3], 2]);
    expect(view.mask).toMatchObject({ shape: [2], pointer: 64n + 4n + 2n, byteStrides: [4] });
  });

  it('slices a mask for each row as if every row had its own', () => {
    const row = make({ mask: make({ shape: [4], dtype: 'bool', pointer: 64n }) });
    expect(slice(row, [[1, 3], 2]).mask).toMatchObject({
      shape: [2],
      pointer: 66n,
      byteStrides: [0],
      readOnly: true,
    });
  });

  it('requires a descriptor', () => {
    expectRefusal(() => slice({ shape: [1] } as never, [0]), 'ERR_TYPE', 'array');
  });
});
