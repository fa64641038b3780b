import { type ArrayDescriptor, type DType, fromArrayInterface } from '@array-interface/core';
import fc from 'fast-check';

const TYPESTRS =
  '|b1 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4 <f8 <f16 <c8 <c16 <c32 >i2 >u8 >f4 >c16 <m8 <M8[ns] >M8[25s] <m8[us] |S0 |S3 <U0 <U2 |V0 |V2 |V8'.split(
    ' ',
  );
const RECORDS = [
  [
    ['x', '<f4'],
    ['y', '>i2'],
  ],
  [
    ['f1', '|u1'],
    ['', '|V3'],
  ],
  [
    ['a', '<i4', [2]],
    ['', '|V4'],
  ],
  [
    [
      'p',
      [
        ['f0', '<f4'],
        ['', '|V4'],
        ['q', '>f8'],
      ],
    ],
  ],
  [[['a title', 'name'], '<f8']],
];
const SIZES = [6, 4, 12, 16, 8];

const elements = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TYPESTRS).map((typestr) => ({ typestr })) },
  {
    weight: 1,
    arbitrary: fc.nat({ max: RECORDS.length - 1 }).map((index) => ({
      typestr: `|V${SIZES[index]}`,
      descr: RECORDS[index],
    })),
  },
);

/** An array's layout without its address. */
export interface RandomArray {
  readonly element: { readonly typestr: string };
  readonly shape: readonly number[];
  /** For each axis the factor of its stride in C order, and additional bytes. */
  readonly strides: readonly (readonly [factor: number, bytes: number])[] | null;
  readonly order: 'C' | 'F';
  readonly readOnly: boolean;
  readonly masked: boolean;
  readonly version: 0 | 1 | 2 | 3;
  readonly stream: 'none' | 'legacy' | 'own';
}

const often = <T>(usual: T, other: T) => fc.constantFrom(usual, usual, usual, other);

/** Arrays of all dtypes, dense, permuted, sliced, reversed, broadcast and of odd strides. */
export const randomArrays: fc.Arbitrary<RandomArray> = fc.record({
  element: elements,
  shape: fc.array(fc.constantFrom(0, 1, 1, 2, 2, 3, 3, 4), { maxLength: 4 }),
  strides: fc.option(
    fc.array(
      fc.tuple(fc.constantFrom(1, 1, 1, 1, 1, 2, -1, 0), fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 4)),
      { minLength: 4, maxLength: 4 },
    ),
  ),
  order: fc.constantFrom('C', 'F'),
  readOnly: often(false, true),
  masked: often(false, true),
  version: fc.constantFrom(3, 3, 3, 3, 2, 1, 0),
  stream: fc.constantFrom('none', 'none', 'legacy', 'own'),
});

/** The array in host memory, moved so that its first byte is at `start` or later. */
export function arrayAt(random: RandomArray, start: bigint): ArrayDescriptor {
  const { element, shape, readOnly, masked } = random;
  const at = (pointer: bigint) =>
    fromArrayInterface({
      version: 3,
      ...element,
      shape,
      strides: stridesOf(random, fromArrayInterface({ ...plain, ...element, shape }).dtype),
      data: [pointer, readOnly],
      mask: masked ? { __array_interface__: { ...plain, shape, typestr: '|b1' } } : null,
    });
  const [low] = at(1n << 40n).extent;
  return at(start + BigInt(Math.ceil(-low / 64) * 64));
}

const plain = { version: 3, data: [1n << 40n, false] };

function stridesOf({ shape, strides, order }: RandomArray, { itemsize }: DType): number[] | null {
  if (strides === null && order === 'C') return null;
  const dense = new Array<number>(shape.length);
  const axes = [...shape.keys()];
  if (order === 'C') axes.reverse();
  let step = itemsize;
  for (const axis of axes) {
    dense[axis] = step;
    step *= Math.max(1, shape[axis] as number);
  }
  return dense.map((stride, axis) => {
    const [factor, bytes] = strides?.[axis] ?? [1, 0];
    return stride * factor + bytes;
  });
}
