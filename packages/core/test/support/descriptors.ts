import fc from 'fast-check';
import { NAMED_DTYPES } from '../../src/dlpack/named-codes.js';
import {
  type ArrayDescriptor,
  type Descr,
  type DType,
  dtype,
  fromArrayInterface,
  makeDescriptor,
} from '../../src/index.js';

const TYPESTRS = [
  ...['|b1', '|i1', '|u1', '|S1', '|S7', '|V1', '|V6', '<U3', '|S0', '|V0', '<U0'],
  ...['<', '>'].flatMap((order) =>
    ['i2', 'i4', 'i8', 'u2', 'u4', 'u8', 'f2', 'f4', 'f8', 'f16', 'c8', 'c16', 'c32', 'U1', 'm8']
      .concat(['M8', 'm8[25s]', 'M8[ns]', 'M8[2147483647Y]'])
      .map((rest) => order + rest),
  ),
];

/** Every kind, size, byte order and unit, without records. */
const plainDTypes: fc.Arbitrary<DType> = fc
  .constantFrom(...TYPESTRS, ...Object.keys(NAMED_DTYPES))
  .map(dtype);

const names = fc.oneof(
  fc.stringMatching(/^[a-z]\w{0,5}$/),
  fc.string({ minLength: 1, maxLength: 4 }),
);

/** Fields under names of their own, with titles, sub-arrays, padding and records inside. */
function descrs(depth: number): fc.Arbitrary<Descr> {
  const plain = fc.constantFrom(...TYPESTRS);
  const type: fc.Arbitrary<string | Descr> =
    depth === 0
      ? plain
      : fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: descrs(depth - 1) });
  const shape = fc.option(fc.array(fc.nat({ max: 3 }), { maxLength: 2 }), { freq: 3 });
  const field = fc.record({ type, shape, titled: fc.nat({ max: 4 }), pad: fc.nat({ max: 9 }) });
  return fc
    .tuple(
      fc.uniqueArray(names, { minLength: 10, maxLength: 10 }),
      fc.array(field, { minLength: 1, maxLength: 5 }),
    )
    .map(([unique, fields]) =>
      fields.flatMap(({ type: inner, shape: lengths, titled, pad }, index): Descr[number][] => {
        const own = unique[2 * index] as string;
        const name = titled === 0 ? ([unique[2 * index + 1] as string, own] as const) : own;
        const entry: Descr[number] =
          lengths === null || lengths.length === 0 ? [name, inner] : [name, inner, lengths];
        return pad === 0 || pad > 4 ? [entry] : [entry, ['', `|V${pad}`]];
      }),
    );
}

function sizeOf(descr: Descr): number {
  return descr.reduce((sum, [, type, shape = []]) => {
    const itemsize = typeof type === 'string' ? dtype(type).itemsize : sizeOf(type);
    return sum + shape.reduce((size, length) => size * length, itemsize);
  }, 0);
}

/** Records. */
const recordDTypes: fc.Arbitrary<DType> = descrs(2).map((descr) => {
  const typestr = `|V${sizeOf(descr)}`;
  const dict = { version: 3, shape: [0], typestr, descr, data: [0, false] };
  return fromArrayInterface(dict).dtype;
});

interface Choices {
  readonly axes: readonly (readonly [length: number, stride: number])[];
  readonly dtype: DType;
  readonly dense: boolean;
  readonly readOnly: boolean;
  readonly stream: bigint | null;
  readonly pointer: bigint;
  readonly offset: number;
  readonly place: 'address' | 'base' | 'buffer';
  readonly mask: 'none' | 'bytes' | 'bits';
}

const axes = fc.oneof(
  { weight: 9, arbitrary: fc.array(fc.tuple(fc.nat({ max: 5 }), strides()), { maxLength: 5 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.tuple(fc.nat({ max: 1 }), strides()), { minLength: 60, maxLength: 64 }),
  },
);

function strides(): fc.Arbitrary<number> {
  return fc.oneof(fc.integer({ min: -40, max: 40 }), fc.constantFrom(2 ** 40, -(2 ** 48)));
}

/**
 * Arrays of every kind that the model has: dtypes and records, any rank and strides, read-only and
 * pending ones, masks of bytes and bits, with a base or inside a buffer.
 */
export const descriptors: fc.Arbitrary<ArrayDescriptor> = fc
  .record<Choices>({
    axes,
    dtype: fc.oneof({ weight: 3, arbitrary: plainDTypes }, { weight: 1, arbitrary: recordDTypes }),
    dense: fc.boolean(),
    readOnly: fc.boolean(),
    stream: fc.option(fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }), { freq: 2 }),
    pointer: fc.bigInt({ min: 2n ** 54n, max: 2n ** 64n - 2n ** 54n }),
    offset: fc.integer({ min: -60, max: 60 }),
    place: fc.constantFrom('address', 'address', 'base', 'buffer'),
    mask: fc.constantFrom('none', 'none', 'bytes', 'bits'),
  })
  .map(build);

function build({ axes, mask, place, offset, dense, ...choices }: Choices): ArrayDescriptor {
  const shape = axes.map(([length]) => length);
  const within = place === 'buffer' && !dense;
  const byteStrides = axes.map(([, stride]) => (within ? stride % 41 : stride));
  const array = makeDescriptor({
    ...choices,
    shape,
    byteStrides: dense ? null : byteStrides,
    mask: maskOf(mask, shape, choices.pointer),
  });
  if (place === 'base') {
    const step = BigInt(offset * array.itemsize);
    const base = { pointer: array.pointer - step, elementOffset: offset };
    return makeDescriptor({ ...array, base, syclobj: 'cpu' } as never);
  }
  if (place === 'address') return array;
  const [low, high] = array.extent;
  const buffer = new ArrayBuffer(high - low + 3);
  return makeDescriptor({ ...array, pointer: BigInt(2 - low), buffer } as never);
}

/** A mask of the trailing axes; of bits, or of bytes that lie backwards. */
function maskOf(kind: Choices['mask'], shape: number[], pointer: bigint): ArrayDescriptor | null {
  if (kind === 'none') return null;
  const trailing = shape.slice(shape.length > 4 ? shape.length - 2 : Math.floor(shape.length / 2));
  if (kind === 'bits') return bits(trailing, pointer);
  const byteStrides = trailing.map((_, axis) => -3 * (axis + 1));
  return makeDescriptor({ pointer, shape: trailing, byteStrides, dtype: 'bool', readOnly: true });
}

function bits(shape: number[], pointer: bigint): ArrayDescriptor {
  const mask = { version: 3, shape, typestr: '|t1', data: [pointer, false] };
  const dict = { version: 3, shape, typestr: '|u1', data: [pointer, false] };
  return fromArrayInterface({ ...dict, mask: { __array_interface__: mask } })
    .mask as ArrayDescriptor;
}
