import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromCudaArrayInterface, makeDescriptor, permuteDims } from '../../src/index.js';
import { addressOf, arrays, indices } from '../support/elements.js';
import { expectRefusal } from '../support/refusal.js';

const make = (changes: object = {}) =>
  makeDescriptor({ pointer: 4096n, shape: [2, 3, 4], dtype: 'float32', ...changes });

describe('permuteDims', () => {
  it('moves each index along with its axis', () => {
    const keys = fc.array(fc.nat(), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(arrays, keys, (array, order) => {
        const axes = [...array.shape.keys()].sort((a, b) => Number(order[a]) - Number(order[b]));
        const view = permuteDims(array, axes);
        for (const index of indices(view.shape)) {
          const original = array.shape.map((_, axis) => index[axes.indexOf(axis)] as number);
          expect(addressOf(view, index)).toBe(addressOf(array, original));
        }
        const back = axes.map((_, axis) => axes.indexOf(axis));
        expect(permuteDims(view, back)).toEqual(array);
      }),
      random(),
    );
  });

  it('takes axes from the end', () => {
    expect(permuteDims(make(), [-1, 0, -2])).toMatchObject({
      shape: [4, 2, 3],
      byteStrides: [4, 48, 16],
    });
  });

  it.each([
    [[0, 1], 'axes'],
    [[0, 1, 2, 3], 'axes[3]'],
    [[0, 1, 1], 'axes[2]'],
    [[0, 1, -2], 'axes[2]'],
    [[0, '1', 2], 'axes[1]'],
    [undefined, 'axes'],
  ])('refuses %j', (axes, path) => {
    expectRefusal(() => permuteDims(make(), axes as never), 'ERR_ARGUMENT', path);
  });

  it('permutes the mask as well, unless it is of bits', () => {
    const mask = make({ dtype: 'bool' });
    expect(permuteDims(make({ mask }), [2, 0, 1]).mask).toMatchObject({ byteStrides: [1, 12, 4] });
    const bits = { shape: [2, 3], typestr: '|t1', data: [64, false], version: 3 };
    const array = fromCudaArrayInterface({
      ...bits,
      typestr: '<f4',
      mask: { __cuda_array_interface__: bits },
    });
    expectRefusal(() => permuteDims(array, [1, 0]), 'ERR_MASK', 'mask');
  });
});
