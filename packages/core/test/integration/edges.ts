import fc from 'fast-check';
import { fromDLPack } from '../../src/dlpack/index.js';
import {
  type ArrayDescriptor,
  dtype,
  fromArrayInterface,
  fromCudaArrayInterface,
  fromSyclUsmArrayInterface,
  makeDescriptor,
} from '../../src/index.js';

const TOP = 2n ** 64n;
const SAFE = 2 ** 53 - 1;

const pointers = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    2n,
    8n,
    2n ** 53n - 1n,
    2n ** 53n,
    2n ** 60n,
    TOP - 1n,
    TOP - 2n,
    TOP - 8n,
  ),
  fc.bigInt({ min: 0n, max: 40n }),
  fc.bigInt({ min: TOP - 40n, max: TOP - 1n }),
);
const lengths = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 1, 1, 2, 2, 3) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 20, 2 ** 31, 2 ** 52, SAFE) },
);
const strides = fc.oneof(
  fc.constantFrom(0, 1, -1, 2, -2, 8, -8),
  fc.constantFrom(SAFE, -SAFE, SAFE - 1, 1 - SAFE, 2 ** 52, -(2 ** 52)),
  fc.integer({ min: -20, max: 20 }),
);
const offsets = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -9, max: 9 }),
  fc.constantFrom(SAFE, -SAFE, 2 ** 50, -(2 ** 50)),
);
/** Of axes: their lengths, and their strides or none. */
const axes = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.array(fc.tuple(lengths, strides), { maxLength: 4 }) },
      {
        weight: 1,
        arbitrary: fc.array(fc.tuple(lengths, strides), { minLength: 20, maxLength: 64 }),
      },
    ),
    fc.boolean(),
  )
  .map(([pairs, dense]) => ({
    shape: pairs.map(([length]) => length),
    strides: dense ? null : pairs.map(([, stride]) => stride),
  }));

/** Shapes with axes of length 0, 1 and more than can be counted, in any order. */
export const shapes: fc.Arbitrary<number[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(0, 1, 2, 3, 8) },
    { weight: 1, arbitrary: fc.constantFrom(2 ** 20, 2 ** 52, SAFE) },
  ),
  { maxLength: 30, size: 'max' },
);

/** What one array says, before any protocol says it. */
export interface Edge {
  readonly pointer: bigint;
  readonly axes: { readonly shape: readonly number[]; readonly strides: readonly number[] | null };
  readonly typestr: string;
  readonly offset: number;
  readonly mask: {
    readonly kind: 'none' | 'bits' | 'bytes' | 'wide';
    readonly pointer: bigint;
    readonly from: number;
    readonly ones: readonly boolean[];
    readonly strides: readonly number[] | null;
  };
}

/** Arrays at both ends of memory, of most and of no bytes; extreme shapes, strides and masks. */
export const edges: fc.Arbitrary<Edge> = fc.record({
  pointer: pointers,
  axes,
  typestr: fc.constantFrom('|u1', '|u1', '<i2', '<f8', '<c16', '|S0', '|V3'),
  offset: offsets,
  mask: fc.record({
    kind: fc.constantFrom('none', 'none', 'none', 'bits', 'bytes', 'wide'),
    pointer: pointers,
    from: fc.nat({ max: 2 }),
    ones: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    strides: fc.option(fc.array(fc.constantFrom(1, 1, 2, 3, 0), { minLength: 64, maxLength: 64 })),
  }),
});

function maskOf({ mask, axes: { shape } }: Edge, attribute: string): object {
  if (mask.kind === 'none') return {};
  const { kind, pointer, from, ones, strides: wild } = mask;
  const lengthsOfMask = shape.slice(from).map((n, axis) => (ones[axis % 4] === true ? 1 : n));
  const inner = {
    version: 3,
    shape: lengthsOfMask,
    typestr: { bits: '|t1', bytes: '|b1', wide: '|V4096' }[kind],
    data: [pointer, true],
    strides: wild === null ? null : wild.slice(0, lengthsOfMask.length),
  };
  return { mask: { [attribute]: inner } };
}

/** Each way to make an array of an edge. */
export const READ_EDGE: Readonly<Record<string, (edge: Edge) => ArrayDescriptor>> = {
  cuda: (edge) =>
    fromCudaArrayInterface({
      ...plainDict(edge),
      ...maskOf(edge, '__cuda_array_interface__'),
    } as never),
  host: (edge) =>
    fromArrayInterface({ ...plainDict(edge), ...maskOf(edge, '__array_interface__') } as never),
  sycl: (edge) =>
    fromSyclUsmArrayInterface({
      ...plainDict(edge),
      ...{ version: 1, offset: edge.offset, syclobj: 'cpu' },
    } as never),
  parts: ({ pointer, axes: { shape, strides: byteStrides }, typestr, offset }) =>
    makeDescriptor({
      ...{ pointer, shape, dtype: dtype(typestr), byteStrides },
      ...(offset === 0
        ? {}
        : { base: { pointer: startOf(pointer, typestr, offset), elementOffset: offset } }),
    }),
  dlpack: ({ pointer, axes: { shape, strides: elementStrides }, offset }) =>
    fromDLPack({
      ...{ version: { major: 1, minor: 0 }, readOnly: false, copied: false, subBytePadded: false },
      ...{ data: pointer, byteOffset: BigInt(Math.abs(offset)), device: { type: 2, id: 0 } },
      ...{ dtype: { code: 1, bits: 8, lanes: 1 }, shape, elementStrides },
    }),
};

/** Where an array starts whose pointer is so many elements from there. */
function startOf(pointer: bigint, typestr: string, offset: number): bigint {
  return pointer - BigInt(offset) * BigInt(typestr.slice(2));
}

function plainDict({ pointer, axes: { shape, strides: list }, typestr }: Edge): object {
  return { version: 3, shape, strides: list, typestr, data: [pointer, false] };
}

/** Whether an array of one-byte elements or more without a mask may be, and why not. */
export function mayBe(
  pointer: bigint,
  shape: readonly number[],
  byteStrides: readonly number[],
  itemsize: number,
): boolean {
  if (shape.includes(0)) return true;
  const count = shape.reduce((size, length) => size * BigInt(length), 1n);
  let low = 0n;
  let high = BigInt(itemsize);
  for (const [axis, length] of shape.entries()) {
    const reach = BigInt(length - 1) * BigInt(byteStrides[axis] as number);
    if (reach < 0n) low += reach;
    else high += reach;
  }
  const most = BigInt(SAFE);
  const countable = count <= most && count * BigInt(itemsize) <= most && high - low <= most;
  const last = pointer + high - BigInt(itemsize);
  return countable && pointer + low > 0n && pointer + high <= TOP && last < TOP;
}
