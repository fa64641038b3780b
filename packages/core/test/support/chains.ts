import fc from 'fast-check';
import {
  type ArrayDescriptor,
  broadcastTo,
  expandDims,
  field,
  flip,
  isArrayInterfaceError,
  makeDescriptor,
  permuteDims,
  reshape,
  slice,
  squeeze,
  transpose,
  view,
} from '../../src/index.js';
import { record } from './records.js';

type View = (array: ArrayDescriptor, keys: readonly number[]) => ArrayDescriptor;

const pick = (array: ArrayDescriptor, keys: readonly number[]) =>
  [...array.shape.keys()].filter((axis) => (keys[axis % keys.length] as number) % 2 === 0);

/** Every view, with arguments made from numbers to fit the array. */
export const VIEWS: Readonly<Record<string, View>> = {
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
  squeeze: (array) =>
    squeeze(
      array,
      [...array.shape.keys()].filter((axis) => array.shape[axis] === 1),
    ),
  field: (array, [key = 0]) => field(array, ['a', 'b', 'c'][key % 3] as string),
  view: (array, [key = 0]) => view(array, `|V${[1, 2, 4, 8, 12][key % 5] as number}`),
};

/** Which views to make of what the one before is. */
export const steps: fc.Arbitrary<[string, number[]][]> = fc.array(
  fc.tuple(
    fc.constantFrom(...Object.keys(VIEWS)),
    fc.array(fc.nat({ max: 60 }), { minLength: 3, maxLength: 3 }),
  ),
  { minLength: 1, maxLength: 5 },
);

const makeRecord = () =>
  record(12, [
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
export const masked: fc.Arbitrary<ArrayDescriptor> = fc
  .record({
    shape: fc.array(fc.constantFrom(1, 2, 3, 4, 0), { maxLength: 4 }),
    dtype: fc.constantFrom('record', 'record', 'float32', 'int64'),
    readOnly: fc.boolean(),
    elementOffset: fc.option(fc.nat({ max: 30 })),
    maskRank: fc.option(fc.nat({ max: 4 })),
    ones: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  })
  .map(({ shape, dtype, readOnly, elementOffset, maskRank, ones }) => {
    const owner = { keeps: 'the memory' };
    const size = dtype === 'record' ? 12 : dtype === 'int64' ? 8 : 4;
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
    const array = { pointer, shape, readOnly, base, mask, ...common };
    return makeDescriptor({ ...array, dtype: dtype === 'record' ? makeRecord() : dtype });
  });

/** All views of a chain that exist. */
export function chain(
  first: ArrayDescriptor,
  all: readonly (readonly [string, number[]])[],
): ArrayDescriptor[] {
  const made = [first];
  for (const [name, keys] of all) {
    try {
      made.push((VIEWS[name] as View)(made.at(-1) as ArrayDescriptor, keys));
    } catch (error) {
      if (
        !isArrayInterfaceError(
          error,
          'ERR_NOT_A_VIEW',
          'ERR_MASK',
          'ERR_ARGUMENT',
          'ERR_SHAPE_MISMATCH',
        )
      )
        throw error;
    }
  }
  return made.slice(1);
}
