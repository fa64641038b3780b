import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ArrayDescriptor,
  broadcastTo,
  type DTypeLike,
  expandDims,
  field,
  flip,
  fromCudaArrayInterface,
  isArrayInterfaceError,
  makeDescriptor,
  permuteDims,
  reshape,
  slice,
  squeeze,
  transpose,
  view,
} from '../src/index.js';
import { addresses, indices } from './elements.js';
import { record } from './records.js';
import { expectRefusal } from './refusal.js';

type View = (array: ArrayDescriptor, keys: readonly number[]) => ArrayDescriptor;

const pick = (array: ArrayDescriptor, keys: readonly number[]) =>
  [...array.shape.keys()].filter((axis) => (keys[axis % keys.length] as number) % 2 === 0);

/** Every view, with arguments made from numbers to fit the array. */
const VIEWS: Readonly<Record<string, View>> = {
  slice: (array, keys) =>
    slice(
      array,
      array.shape.map((length, axis) => {
        const key = keys[axis % keys.length] as number;
        if (key % 5 === 0 && length > 0) return key % length;
        return [key % 3, null, (key % 4) + 1];
      }),
    ),
  reverse: (array, keys) =>
    slice(
      array,
      array.shape.map((_, i) => [null, keys[i % 3] as number, -1]),
    ),
  flip: (array, keys) => flip(array, pick(array, keys)),
  transpose: (array) => transpose(array),
  permuteDims: (array, [key = 0]) => {
    const axes = [...array.shape.keys()];
    return permuteDims(array, [...axes.splice(key % (array.ndim + 1)), ...axes]);
  },
  flatten: (array) => reshape(array, [-1]),
  split: (array, [key = 0]) =>
    reshape(array, [key % 2 === 0 ? 2 : 3, -1], { order: key % 3 === 0 ? 'F' : 'C' }),
  broadcastTo: (array, keys) =>
    broadcastTo(array, [
      (keys[0] as number) % 3,
      ...array.shape.map((length) => (length === 1 ? (keys[1] as number) % 4 : length)),
    ]),
  expandDims: (array, [key = 0]) => expandDims(array, key % (array.ndim + 1)),
  squeeze: (array) => squeeze(array),
  field: (array, [key = 0]) => field(array, ['a', 'b', 'c'][key % 3] as string),
  view: (array, [key = 0]) => view(array, `|V${[1, 2, 4, 8, 12][key % 5]}`),
};

const steps = fc.array(
  fc.tuple(
    fc.constantFrom(...Object.keys(VIEWS)),
    fc.array(fc.nat({ max: 60 }), { minLength: 3, maxLength: 3 }),
  ),
  { minLength: 1, maxLength: 5 },
);

const RECORD = record(12, [
  ['a', '<i2'],
  ['b', '|u1', [2, 2]],
  ['', '|V2'],
  [
    'c',
    [
      ['a', '<i2'],
      ['b', '|S1'],
      ['', '|V1'],
    ],
  ],
]);

/** Dense arrays, plain and of records, as all protocols have them, some masked. */
const masked = fc
  .record({
    shape: fc.array(fc.constantFrom(1, 2, 3, 4, 0), { maxLength: 4 }),
    dtype: fc.constantFrom(RECORD, RECORD, 'float32', 'int64'),
    readOnly: fc.boolean(),
    elementOffset: fc.option(fc.nat({ max: 30 })),
    maskRank: fc.option(fc.nat({ max: 4 })),
    ones: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  })
  .map(({ shape, dtype, readOnly, elementOffset, maskRank, ones }) => {
    const owner = { keeps: 'the memory' };
    const size = dtype === RECORD ? 12 : dtype === 'int64' ? 8 : 4;
    const pointer = 2n ** 40n;
    const mask =
      maskRank === null
        ? null
        : makeDescriptor({
            pointer: 2n ** 20n,
            shape: shape
              .slice(Math.max(0, shape.length - maskRank))
              .map((length, axis) => (ones[axis] ? 1 : length)),
            dtype: 'bool',
          });
    const base =
      elementOffset === null
        ? null
        : { pointer: pointer - BigInt(elementOffset * size), elementOffset };
    const common = { stream: 7n, syclobj: 'cpu', owner };
    return makeDescriptor({ pointer, shape, dtype, readOnly, base, mask, ...common });
  });

/** Where the mask's element for an element lies; `index` counts the elements of the first array. */
function validity(first: ArrayDescriptor, mask: ArrayDescriptor): bigint[] {
  const missing = first.ndim - mask.ndim;
  return indices(first.shape).map((index) =>
    mask.shape.reduce((at, length, axis) => {
      const own = length === 1 ? 0 : (index[axis + missing] as number);
      return at + BigInt(own * (mask.byteStrides[axis] as number));
    }, mask.pointer),
  );
}

/** All views of a chain that exist. */
function chain(first: ArrayDescriptor, all: readonly (readonly [string, number[]])[]) {
  const made = [first];
  for (const [name, keys] of all) {
    try {
      made.push((VIEWS[name] as View)(made.at(-1) as ArrayDescriptor, keys));
    } catch (error) {
      if (!isArrayInterfaceError(error, 'ERR_NOT_A_VIEW', 'ERR_MASK', 'ERR_ARGUMENT')) throw error;
    }
  }
  return made.slice(1);
}

describe('views of views', () => {
  it('stay in the extent, and keep what is not theirs to change', () => {
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

  it('have a mask that says of each element what it said of the one that it is part of', () => {
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

  it('find no view of a mask only where there is none', () => {
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

  it('stays as it is where nothing moved, of elements without bytes too', () => {
    expect(transpose(make('|V0', 7, 0)).base).toEqual({ pointer: 4096n, elementOffset: 7 });
  });

  it('is lost where elements have no bytes, and where they are too many', () => {
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
  const array = fromCudaArrayInterface({
    ...{ ...bits, typestr: '<f4' },
    mask: { __cuda_array_interface__: bits },
  });

  it('exist where the bits follow one another from the start of a byte', () => {
    expect(slice(array, [[1, 3]]).mask).toMatchObject({ pointer: 66n, shape: [2, 16], nbytes: 4 });
    expect(slice(array, [2, [8, 11]]).mask).toMatchObject({ pointer: 69n, shape: [3], nbytes: 1 });
    expect(reshape(array, [64]).mask).toMatchObject({ pointer: 64n, byteStrides: [1] });
    expect(squeeze(slice(array, [[3, 4]])).mask).toMatchObject({ pointer: 70n, shape: [16] });
    expect(
      slice(array, [
        [0, 0],
        [null, null, 5],
      ]).mask,
    ).toMatchObject({ size: 0, pointer: 64n });
  });

  it('are refused where they do not', () => {
    for (const make of [
      () => slice(array, [2, [4, 9]]),
      () => slice(array, [null, [0, 8]]),
      () => slice(array, [null, 3]),
      () => transpose(array),
      () => flip(array),
      () => broadcastTo(array, [2, 4, 16]),
      () => reshape(slice(array, [0]), [2, 8], { order: 'F' }),
      () => slice(array.mask as ArrayDescriptor, [[0, 2], 1]),
      () => slice(array.mask as ArrayDescriptor, [2, [4, 9]]),
    ]) {
      expectRefusal(make, 'ERR_MASK', 'mask');
    }
  });
});
