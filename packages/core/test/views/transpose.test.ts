import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transpose } from '../../src/index.js';
import { addressOf, arrays, indices } from '../support/elements.js';
import { expectRefusal } from '../support/refusal.js';

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

  it('requires a descriptor', () => {
    expectRefusal(() => transpose({ shape: [2] } as never), 'ERR_TYPE', 'array');
  });
});
