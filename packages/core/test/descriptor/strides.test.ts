import { describe, expect, expectTypeOf, it } from 'vitest';
import { replace } from '../../src/descriptor/descriptor.js';
import {
  byteStrides,
  contiguousByteStrides,
  elementStrides,
  type StridesLike,
  toByteStrides,
  toElementStrides,
} from '../../src/descriptor/strides.js';
import {
  type ByteStrides,
  type ElementStrides,
  makeDescriptor,
  toArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '../../src/index.js';

describe('strides', () => {
  it('of one unit are not taken for the other, nor plain numbers for either', () => {
    const bytes: ByteStrides = byteStrides([12, 4]);
    const elements: ElementStrides = elementStrides([3, 1]);
    // @ts-expect-error elements are not bytes
    const wrongBytes: ByteStrides = elements;
    // @ts-expect-error bytes are not elements
    const wrongElements: ElementStrides = bytes;
    // @ts-expect-error a unit must be named
    const unnamed: ByteStrides = [12, 4];
    // @ts-expect-error converting needs elements
    toByteStrides(bytes, 4);
    // @ts-expect-error converting needs bytes
    toElementStrides(elements, 4);
    const array = makeDescriptor({ pointer: 8, shape: [2, 3], dtype: 'int8', syclobj: 'cpu' });
    // @ts-expect-error a descriptor holds bytes
    replace(array, { byteStrides: elements });
    // @ts-expect-error and is made of bytes
    makeDescriptor({ pointer: 8, shape: [2, 3], dtype: 'int8', byteStrides: elements });
    makeDescriptor({ pointer: 8, shape: [2, 3], dtype: 'int8', byteStrides: bytes });
    makeDescriptor({ pointer: 8, shape: [2, 3], dtype: 'int8', byteStrides: [12, 4] });
    expect([wrongBytes, wrongElements, unnamed]).toHaveLength(3);
  });

  it('are not declared to be in the other unit once theirs is known', () => {
    const bytes = byteStrides([12, 4]);
    const elements = elementStrides([3, 1]);
    // @ts-expect-error converting is the only door
    expect(elementStrides(bytes)).toBe(bytes);
    // @ts-expect-error converting is the only door
    expect(byteStrides(elements)).toBe(elements);
    expect(byteStrides(bytes)).toBe(bytes);
    expect(elementStrides(elements)).toBe(elements);
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
    expectTypeOf<ElementStrides>().not.toExtend<StridesLike<ByteStrides>>();
    expectTypeOf<number[]>().toExtend<StridesLike<ByteStrides>>();
  });

  it('are converted by the itemsize', () => {
    expect(toByteStrides(elementStrides([-3, 0]), 4)).toEqual([-12, 0]);
    expect(toElementStrides(byteStrides([-12, 0]), 4)).toEqual([-3, 0]);
    expect(toElementStrides(byteStrides([12, 5]), 4)).toBeNull();
    expect(toElementStrides(byteStrides([0]), 0)).toEqual([0]);
    expect(toElementStrides(byteStrides([1]), 0)).toBeNull();
    expect(toElementStrides(byteStrides([0, 1]), 0)).toBeNull();
    expect(toElementStrides(byteStrides([-0]), 4)).toEqual([0]);
  });

  it('of C order count an empty axis as one', () => {
    expect(contiguousByteStrides([2, 0, 3], 4)).toEqual([12, 12, 4]);
    expect(contiguousByteStrides([], 4)).toEqual([]);
  });
});
