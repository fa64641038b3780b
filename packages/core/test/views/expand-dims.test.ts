import { describe, expect, it } from 'vitest';
import { expandDims, fromCudaArrayInterface, makeDescriptor } from '../../src/index.js';
import { expectRefusal } from '../support/refusal.js';

const make = (changes: object = {}) =>
  makeDescriptor({ pointer: 4096n, shape: [3, 4], dtype: 'float32', ...changes });

describe('expandDims', () => {
  it('inserts axes of length 1 at positions of the view', () => {
    expect(expandDims(make(), 0)).toEqual(make({ shape: [1, 3, 4] }));
    expect(expandDims(make(), 1).shape).toEqual([3, 1, 4]);
    expect(expandDims(make(), -1).shape).toEqual([3, 4, 1]);
    expect(expandDims(make(), [3, 0])).toEqual(make({ shape: [1, 3, 4, 1] }));
    expect(expandDims(make(), [-1, -2]).shape).toEqual([3, 4, 1, 1]);
    expect(expandDims(make(), [])).toEqual(make());
    expect(expandDims(make({ shape: [] }), 0).shape).toEqual([1]);
    expect(expandDims(make({ shape: [0] }), 0).shape).toEqual([1, 0]);
  });

  it('inserts any two of many axes, in either order', () => {
    const shape = Array.from({ length: 12 }, (_, axis) => axis + 2);
    const array = make({ shape });
    for (let one = 0; one < 14; one++) {
      for (let other = one + 1; other < 14; other++) {
        const expected = shape.toSpliced(one, 0, 1).toSpliced(other, 0, 1);
        expect(expandDims(array, [one, other]).shape).toEqual(expected);
        expect(expandDims(array, [other - 14, one]).shape).toEqual(expected);
      }
    }
  });

  it('is a view of any strides', () => {
    const odd = make({ byteStrides: [-9, 7] });
    expect(expandDims(odd, 1)).toMatchObject({ shape: [3, 1, 4], pointer: 4096n });
    expect(expandDims(odd, 1).byteStrides.filter((_, axis) => axis !== 1)).toEqual([-9, 7]);
  });

  it.each([
    [3, 'axes[0]'],
    [-4, 'axes[0]'],
    [[0, 4], 'axes[1]'],
    [[0, 0], 'axes[1]'],
    [[0, -4], 'axes[1]'],
    [1n, 'axes'],
    [undefined, 'axes'],
  ])('refuses %o', (axes, path) => {
    expectRefusal(() => expandDims(make(), axes as never), 'ERR_ARGUMENT', path);
  });

  it('refuses a 65th axis', () => {
    const wide = make({ shape: new Array(64).fill(1) });
    expectRefusal(() => expandDims(wide, 0), 'ERR_RANK_MISMATCH', 'shape');
    const many = new Array(2 ** 31);
    expectRefusal(() => expandDims(make(), many), 'ERR_RANK_MISMATCH', 'axes');
  });

  it('expands a mask of bits, which stay contiguous', () => {
    const bits = { shape: [3, 4], typestr: '|t1', data: [64, false], version: 3 };
    const mask = { __cuda_array_interface__: bits };
    const array = fromCudaArrayInterface({ ...bits, typestr: '<f4', mask });
    expect(expandDims(array, 1).mask).toMatchObject({
      shape: [3, 1, 4],
      byteStrides: [4, 4, 1],
      pointer: 64n,
    });
  });
});
