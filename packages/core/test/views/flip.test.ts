import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flip, makeDescriptor } from '../../src/index.js';
import { addresses, addressOf, arrays, indices, syclArrays } from '../support/elements.js';
import { expectRefusal } from '../support/refusal.js';

const make = (changes: object = {}) =>
  makeDescriptor({ pointer: 4096n, shape: [6, 4], dtype: 'float32', ...changes });

describe('flip', () => {
  it('reverses the given axes', () => {
    const flags = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(arrays, flags, (array, turned) => {
        const axes = [...array.shape.keys()].filter((axis) => turned[axis]);
        const view = flip(array, axes);
        const mirrored = (index: number[]) =>
          index.map((i, axis) => (turned[axis] ? (array.shape[axis] as number) - 1 - i : i));
        expect(view.shape).toEqual(array.shape);
        const wanted = indices(array.shape).map((index) => addressOf(array, mirrored(index)));
        expect(addresses(view)).toEqual(wanted);
        expect(flip(view, axes)).toEqual(array);
        expect(view.byteStrides.some((stride) => Object.is(stride, -0))).toBe(false);
      }),
      random(),
    );
  });

  it('stays in the extent and keeps the base', () => {
    fc.assert(
      fc.property(syclArrays, (array) => {
        const view = flip(array);
        const shift = Number(view.pointer - array.pointer);
        expect([shift + view.extent[0], shift + view.extent[1]]).toEqual(array.extent);
        const offset = BigInt(view.base?.elementOffset as number) * BigInt(array.itemsize);
        expect(2n ** 60n + offset).toBe(view.pointer);
      }),
      random(),
    );
  });

  it('takes one axis, several, or all', () => {
    expect(flip(make(), -1)).toEqual(flip(make(), [1]));
    expect(flip(make())).toEqual(flip(make(), [1, 0]));
    expect(flip(make({ shape: [] }))).toEqual(make({ shape: [] }));
  });

  it.each([
    [2, 'axes[0]'],
    [-3, 'axes[0]'],
    [[0, 0.5], 'axes[1]'],
    [[0, -2], 'axes[1]'],
    ['0', 'axes'],
    [null, 'axes'],
  ])('refuses %j', (axes, path) => {
    expectRefusal(() => flip(make(), axes as never), 'ERR_ARGUMENT', path);
  });

  it('reverses the mask as well', () => {
    const mask = make({ dtype: 'bool', pointer: 64n });
    expect(flip(make({ mask }), 0).mask).toMatchObject({ pointer: 84n, byteStrides: [-4, 1] });
  });
});
