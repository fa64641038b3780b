import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandDims, makeDescriptor, squeeze } from '../../src/index.js';
import { addresses, arrays } from '../support/elements.js';
import { expectRefusal } from '../support/refusal.js';

const make = (changes: object = {}) =>
  makeDescriptor({ pointer: 4096n, shape: [1, 3, 1, 4, 1], dtype: 'float32', ...changes });

describe('squeeze', () => {
  it('drops the given axes', () => {
    expect(squeeze(make(), [0, 2, 4])).toEqual(make({ shape: [3, 4] }));
    expectRefusal(() => squeeze(make(), undefined as never), 'ERR_ARGUMENT', 'axes');
    expect(squeeze(make(), 2).shape).toEqual([1, 3, 4, 1]);
    expect(squeeze(make(), [-1, 0]).shape).toEqual([3, 1, 4]);
    expect(squeeze(make(), [])).toEqual(make());
    expect(squeeze(make({ shape: [1, 1] }), [0, 1])).toEqual(make({ shape: [] }));
    expect(squeeze(make({ shape: [0, 1] }), 1).shape).toEqual([0]);
  });

  it('undoes expandDims, and moves nothing', () => {
    fc.assert(
      fc.property(arrays, fc.array(fc.nat(), { maxLength: 3 }), (array, keys) => {
        const free = Array.from({ length: array.ndim + keys.length }, (_, axis) => axis);
        const added = keys.flatMap((key) => free.splice(key % free.length, 1));
        const wider = expandDims(array, added);
        expect(addresses(wider)).toEqual(addresses(array));
        expect(added.every((axis) => wider.shape[axis] === 1)).toBe(true);
        expect(squeeze(wider, added)).toMatchObject({ shape: array.shape, pointer: array.pointer });
        expect(addresses(squeeze(wider, added))).toEqual(addresses(array));
      }),
      random(),
    );
  });

  it.each([
    [1, 'axes[0]'],
    [[0, 3], 'axes[1]'],
    [[0, -5], 'axes[1]'],
    [5, 'axes[0]'],
    ['0', 'axes'],
    [null, 'axes'],
  ])('refuses %o', (axes, path) => {
    expectRefusal(() => squeeze(make(), axes as never), 'ERR_ARGUMENT', path);
  });

  it('squeezes the mask as well', () => {
    const mask = make({ dtype: 'bool' });
    expect(squeeze(make({ mask }), [0, 2, 4]).mask?.shape).toEqual([3, 4]);
    const repeated = make({ mask: make({ shape: [4, 1], dtype: 'bool' }) });
    expect(squeeze(repeated, [0, 2, 4]).mask).toMatchObject({ shape: [3, 4], byteStrides: [0, 1] });
  });

  it('requires a descriptor', () => {
    expectRefusal(() => squeeze({ shape: [1] } as never, 0), 'ERR_TYPE', 'array');
  });
});
