import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDescriptor, permuteDims, transpose } from '../../src/index.js';
import { addressOf, arrays, indices } from '../elements.js';
import { expectRefusal } from '../refusal.js';

const make = (changes: object = {}) =>
  makeDescriptor({ pointer: 4096n, shape: [2, 3, 4], dtype: 'float32', ...changes });

describe('transpose', () => {
  it('reads each index backwards', () => {
    fc.assert(
      fc.property(arrays, (array) => {
        const view = transpose(array);
        expect(view.shape).toEqual([...array.shape].reverse());
        for (const index of indices(view.shape)) {
          expect(addressOf(view, index)).toBe(addressOf(array, [...index].reverse()));
        }
        expect(transpose(view)).toEqual(array);
      }),
      random(),
    );
  });

  it('wants a descriptor', () => {
    expectRefusal(() => transpose({ shape: [2] } as never), 'ERR_TYPE', 'array');
  });
});
