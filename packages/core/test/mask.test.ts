import { expect, it } from 'vitest';
import { fromCudaArrayInterface, makeDescriptor } from '../src/index.js';
import { expectRefusal } from './refusal.js';

const shape = [2, 3];

it('a descriptor takes a mask that broadcasts and has none of its own', () => {
  const plain = makeDescriptor({ pointer: 64n, shape, dtype: 'bool' });
  const masked = makeDescriptor({ pointer: 64n, shape, dtype: 'bool', mask: plain });
  expect(masked.mask).toBe(plain);
  const row = makeDescriptor({ pointer: 64n, shape: [3], dtype: 'bool' });
  expect(makeDescriptor({ pointer: 64n, shape, dtype: 'bool', mask: row }).mask).toBe(row);
  const act = () => makeDescriptor({ pointer: 64n, shape, dtype: 'bool', mask: masked });
  expectRefusal(act, 'ERR_MASK', 'mask.mask');
  const long = makeDescriptor({ pointer: 64n, shape: [2], dtype: 'bool' });
  const other = () => makeDescriptor({ pointer: 64n, shape, dtype: 'bool', mask: long });
  expectRefusal(other, 'ERR_MASK', 'mask.shape');
});

it('a mask whose attribute throws is named', () => {
  const fault = new Error('gone');
  const mask = {
    get __cuda_array_interface__(): never {
      throw fault;
    },
  };
  const dict = { shape, typestr: '<f4', data: [4096, false], version: 3, mask };
  expectRefusal(() => fromCudaArrayInterface(dict), 'ERR_TYPE', 'mask');
});
