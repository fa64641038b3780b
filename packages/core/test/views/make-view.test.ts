import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ArrayDescriptor,
  broadcastTo,
  type DTypeLike,
  field,
  flip,
  fromCudaArrayInterface,
  makeDescriptor,
  permuteDims,
  reshape,
  slice,
  squeeze,
  transpose,
  view,
} from '../../src/index.js';
import { chain, masked, steps } from '../support/chains.js';
import { addresses, indices } from '../support/elements.js';
import { record } from '../support/records.js';
import { expectRefusal } from '../support/refusal.js';

/** Where the mask's element for an element is; `index` counts the elements of the first array. */
function validity(first: ArrayDescriptor, mask: ArrayDescriptor): bigint[] {
  const missing = first.ndim - mask.ndim;
  return indices(first.shape).map((index) =>
    mask.shape.reduce((at, length, axis) => {
      const own = length === 1 ? 0 : (index[axis + missing] as number);
      return at + BigInt(own * (mask.byteStrides[axis] as number));
    }, mask.pointer),
  );
}

describe('views of views', () => {
  it('stay in the extent, and keep what a view does not change', () => {
    fc.assert(
      fc.property(masked, steps, (first, all) => {
        let before = first;
        for (const made of chain(first, all)) {
          const shift = Number(made.pointer - before.pointer);
          expect(shift).toBeGreaterThanOrEqual(before.extent[0]);
          expect(shift + made.extent[0]).toBeGreaterThanOrEqual(before.extent[0]);
          expect(shift + made.extent[1]).toBeLessThanOrEqual(before.extent[1]);
          expect(made.owner).toBe(first.owner);
          expect(made).toMatchObject({ stream: 7n, syclobj: 'cpu' });
          expect(made.readOnly || !before.readOnly).toBe(true);
          if (made.base !== null) {
            const { pointer, elementOffset } = made.base;
            expect(pointer).toBe(first.base?.pointer);
            expect(pointer + BigInt(elementOffset) * BigInt(made.itemsize)).toBe(made.pointer);
          }
          expect([...made.shape, ...made.byteStrides].every(Number.isSafeInteger)).toBe(true);
          expect(made.byteStrides.some((stride) => Object.is(stride, -0))).toBe(false);
          before = made;
        }
      }),
      random(300),
    );
  });

  it('have a mask that says of each part what it said of the whole element', () => {
    let compared = 0;
    fc.assert(
      fc.property(masked, steps, (first, all) => {
        if (first.mask === null) return;
        const valid = validity(first, first.mask);
        for (const made of chain(first, all)) {
          const { mask } = made;
          if (mask === null) throw new Error('the mask was lost');
          const own = validity(made, mask);
          const parts = addresses(made).map((at) => Number(at - first.pointer) / first.itemsize);
          expect(own).toEqual(parts.map((part) => valid[Math.floor(part)]));
          compared += own.length;
        }
      }),
      random(300),
    );
    expect(compared).toBeGreaterThan(0);
  });

  it('find no view of a mask only if none exists', () => {
    const mask = makeDescriptor({ pointer: 64n, shape: [4], dtype: 'bool' });
    const array = makeDescriptor({ pointer: 4096n, shape: [3, 4], dtype: 'int32', mask });
    expect(permuteDims(array, [1, 0]).mask).toMatchObject({ shape: [4, 3], byteStrides: [1, 0] });
    expect(flip(array, 1).mask).toMatchObject({ pointer: 67n, byteStrides: [0, -1] });
    expectRefusal(() => reshape(array, [12]), 'ERR_MASK', 'mask');
  });
});

describe('the base of a view', () => {
  const make = (dtype: DTypeLike, elementOffset: number, itemsize: number) => {
    const base = { pointer: 4096n, elementOffset };
    const pointer = 4096n + BigInt(elementOffset) * BigInt(itemsize);
    return makeDescriptor({ pointer, shape: [2, 4], dtype, base });
  };

  it('does not change if nothing moves, also with elements without bytes', () => {
    expect(transpose(make('|V0', 7, 0)).base).toEqual({ pointer: 4096n, elementOffset: 7 });
  });

  it('is lost if elements have no bytes, or are too many', () => {
    const none = record(4, [
      ['a', '|S0'],
      ['b', '<i4'],
    ]);
    expect(field(make(none, 3, 4), 'a').base).toBeNull();
    expect(view(make('int64', 2 ** 50, 8), 'int8').base).toBeNull();
    expect(view(make('int64', 2 ** 49, 8), 'int8').base?.elementOffset).toBe(2 ** 52);
  });
});

describe('views of bits', () => {
  const bits = { version: 3, shape: [4, 16], typestr: '|t1', data: [64, false] };
  const array = () =>
    fromCudaArrayInterface({
      ...{ ...bits, typestr: '<f4' },
      mask: { __cuda_array_interface__: bits },
    });

  it('exist if the bits are contiguous from the start of a byte', () => {
    expect(slice(array(), [[1, 3]]).mask).toMatchObject({
      pointer: 66n,
      shape: [2, 16],
      nbytes: 4,
    });
    expect(slice(array(), [2, [8, 11]]).mask).toMatchObject({
      pointer: 69n,
      shape: [3],
      nbytes: 1,
    });
    expect(reshape(array(), [64]).mask).toMatchObject({ pointer: 64n, byteStrides: [1] });
    expect(squeeze(slice(array(), [[3, 4]]), 0).mask).toMatchObject({ pointer: 70n, shape: [16] });
    expect(
      slice(array(), [
        [0, 0],
        [null, null, 5],
      ]).mask,
    ).toMatchObject({ size: 0, pointer: 64n });
  });

  it('are refused otherwise', () => {
    for (const make of [
      () => slice(array(), [2, [4, 9]]),
      () => slice(array(), [null, [0, 8]]),
      () => slice(array(), [null, 3]),
      () => transpose(array()),
      () => flip(array()),
      () => broadcastTo(array(), [2, 4, 16]),
      () => reshape(slice(array(), [0]), [2, 8], { order: 'F' }),
      () => slice(array().mask as ArrayDescriptor, [[0, 2], 1]),
      () => slice(array().mask as ArrayDescriptor, [2, [4, 9]]),
    ]) {
      expectRefusal(make, 'ERR_MASK', 'mask');
    }
  });
});
