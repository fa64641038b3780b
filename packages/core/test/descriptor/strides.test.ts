import { describe, expect, expectTypeOf, it } from 'vitest';
import { replace } from '../../src/descriptor/descriptor.js';
import { contiguousByteStrides, toElementStrides } from '../../src/descriptor/strides.js';
import {
  type ByteStrides,
  type ElementStrides,
  makeDescriptor,
  toArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '../../src/index.js';

describe('strides', () => {
  it('of one unit are not accepted as the other; plain numbers are accepted as either', () => {
    const bytes: ByteStrides = [12, 4];
    const elements: ElementStrides = [3, 1];
    // @ts-expect-error elements are not bytes
    const wrongBytes: ByteStrides = elements;
    // @ts-expect-error bytes are not elements
    const wrongElements: ElementStrides = bytes;
    // @ts-expect-error converting needs bytes
    toElementStrides(elements, 4);
    const array = makeDescriptor({ pointer: 8, shape: [2, 3], dtype: 'int8', syclobj: 'cpu' });
    // @ts-expect-error a descriptor holds bytes
    replace(array, { byteStrides: array.elementStrides as ElementStrides });
    // @ts-expect-error and is made of bytes
    makeDescriptor({ pointer: 8, shape: [2, 3], dtype: 'int8', byteStrides: elements });
    makeDescriptor({ pointer: 8, shape: [2, 3], dtype: 'int8', byteStrides: bytes });
    makeDescriptor({ pointer: 8, shape: [2, 3], dtype: 'int8', byteStrides: [12, 4] });
    expect([wrongBytes, wrongElements]).toHaveLength(2);
  });

  it('have their unit in descriptors and dicts too', () => {
    const array = makeDescriptor({ pointer: 8, shape: [2, 3], dtype: 'int8', syclobj: 'cpu' });
    expectTypeOf(array.byteStrides).toEqualTypeOf<ByteStrides>();
    expectTypeOf(array.elementStrides).toEqualTypeOf<ElementStrides | null>();
    expectTypeOf(toCudaArrayInterface(array).strides).toEqualTypeOf<ByteStrides | null>();
    expectTypeOf(toArrayInterface(array).strides).toEqualTypeOf<ByteStrides | null>();
    expectTypeOf(toSyclUsmArrayInterface(array).strides).toEqualTypeOf<ElementStrides | null>();
    expectTypeOf<ByteStrides>().not.toExtend<ElementStrides>();
    expectTypeOf<ElementStrides>().not.toExtend<ByteStrides>();
    expectTypeOf<number[]>().toExtend<ByteStrides>();
    expectTypeOf<number[]>().toExtend<ElementStrides>();
  });

  it('are converted by the itemsize', () => {
    expect(toElementStrides([-12, 0], 4)).toEqual([-3, 0]);
    expect(toElementStrides([12, 5], 4)).toBeNull();
    expect(toElementStrides([0], 0)).toEqual([0]);
    expect(toElementStrides([1], 0)).toBeNull();
    expect(toElementStrides([0, 1], 0)).toBeNull();
    expect(toElementStrides([-0], 4)).toEqual([0]);
  });

  it('of C order count an empty axis as one', () => {
    expect(contiguousByteStrides([2, 0, 3], 4)).toEqual([12, 12, 4]);
    expect(contiguousByteStrides([], 4)).toEqual([]);
  });
});
