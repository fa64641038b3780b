import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fromArrayInterface,
  fromCudaArrayInterface,
  fromSyclUsmArrayInterface,
  toArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '../src/index.js';
import { addresses, arrays, syclArrays } from './elements.js';
import { reported } from './vectors.js';

describe('what is written reads the same', () => {
  it('as CAI', () => {
    fc.assert(
      fc.property(arrays, (array) => {
        const again = fromCudaArrayInterface(toCudaArrayInterface(array));
        expect(addresses(again)).toEqual(addresses(array));
        const { shape, dtype, readOnly, stream } = array;
        expect(again).toMatchObject({ shape, dtype, readOnly, stream });
        expect(fromCudaArrayInterface(toCudaArrayInterface(again))).toEqual(again);
      }),
      random(),
    );
  });

  it('as SUAI, to the last key', () => {
    fc.assert(
      fc.property(syclArrays, (array) => {
        const again = fromSyclUsmArrayInterface(toSyclUsmArrayInterface(array));
        expect(again).toEqual(array);
      }),
      random(),
    );
  });

  it("as NumPy's interface", () => {
    fc.assert(
      fc.property(arrays, (array) => {
        const still = array.with({ stream: null });
        const again = fromArrayInterface(toArrayInterface(still));
        expect(addresses(again)).toEqual(addresses(still));
      }),
      random(),
    );
  });

  it('from SUAI through CAI and back', () => {
    fc.assert(
      fc.property(syclArrays, (array) => {
        const between = fromCudaArrayInterface(toCudaArrayInterface(array));
        const again = fromSyclUsmArrayInterface({
          ...toSyclUsmArrayInterface(between, { syclobj: 'cpu' }),
        });
        expect(addresses(again)).toEqual(addresses(array));
        const { itemsize, kind, readOnly, shape } = reported(array);
        expect(reported(again)).toMatchObject({ itemsize, kind, readOnly, shape });
      }),
      random(),
    );
  });
});
