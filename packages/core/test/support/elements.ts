import fc from 'fast-check';
import { type ArrayDescriptor, makeDescriptor } from '../../src/index.js';

/** Byte offsets of all elements from address 0, in C order of the indices. */
export function addresses(array: ArrayDescriptor): bigint[] {
  let found = [array.pointer];
  if (array.size === 0) return [];
  for (const [axis, length] of array.shape.entries()) {
    const stride = BigInt(array.byteStrides[axis] as number);
    const steps = Array.from({ length }, (_, index) => BigInt(index) * stride);
    found = found.flatMap((at) => steps.map((step) => at + step));
  }
  return found;
}

/** The address of the element at `index`. */
export function addressOf(array: ArrayDescriptor, index: readonly number[]): bigint {
  return index.reduce(
    (at, i, axis) => at + BigInt(i) * BigInt(array.byteStrides[axis] as number),
    array.pointer,
  );
}

/** Every index of `shape` in C order. */
export function indices(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (heads, length) => heads.flatMap((head) => Array.from({ length }, (_, i) => [...head, i])),
    [[]],
  );
}

/** Arrays of rank 0 to 4 with any strides: negative, overlapping, not whole elements, length 0. */
export const arrays: fc.Arbitrary<ArrayDescriptor> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: -40, max: 40 })), {
    maxLength: 4,
  })
  .chain((axes) =>
    arraysOf(
      axes.map(([length]) => length),
      axes.map(([, stride]) => stride),
    ),
  );

/** Arrays as SUAI has them: with a base and whole elements. */
export const syclArrays: fc.Arbitrary<ArrayDescriptor> = fc
  .record({
    axes: fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: -9, max: 9 })), {
      maxLength: 4,
    }),
    elementOffset: fc.integer({ min: -50, max: 50 }),
    dtype: fc.constantFrom('bool', 'int16', 'float32', 'complex128'),
    readOnly: fc.boolean(),
  })
  .map(({ axes, elementOffset, dtype, readOnly }) => {
    const itemsize = { bool: 1, int16: 2, float32: 4, complex128: 16 }[dtype] as number;
    return makeDescriptor({
      pointer: 2n ** 60n + BigInt(elementOffset * itemsize),
      shape: axes.map(([length]) => length),
      byteStrides: axes.map(([, stride]) => stride * itemsize),
      dtype,
      readOnly,
      syclobj: 'cpu',
      base: { pointer: 2n ** 60n, elementOffset },
    });
  });

function arraysOf(shape: number[], byteStrides: number[]): fc.Arbitrary<ArrayDescriptor> {
  return fc
    .record({
      pointer: fc.bigInt({ min: 1000n, max: 2n ** 64n - 20_000n }),
      dtype: fc.constantFrom('|u1', '<f4', '>i8', '<M8[ns]', '|S3', '<c16'),
      readOnly: fc.boolean(),
      stream: fc.option(fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })),
      dense: fc.boolean(),
    })
    .map(({ dense, ...rest }) =>
      makeDescriptor({ ...rest, shape, byteStrides: dense ? null : byteStrides }),
    );
}
