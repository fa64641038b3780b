import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replace } from '../../src/descriptor/descriptor.js';
import { contiguousByteStrides } from '../../src/descriptor/strides.js';
import { DLPACK_DEVICES, fromDLPack, toDLPack } from '../../src/dlpack/index.js';
import { typeText } from '../../src/dtype/named-dtypes.js';
import {
  type ArrayDescriptor,
  type DType,
  dtype,
  type ErrorCode,
  fromArrayInterface,
  fromCudaArrayInterface,
  fromSyclUsmArrayInterface,
  makeDescriptor,
  toArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '../../src/index.js';
import { descriptors } from '../support/descriptors.js';
import { addresses, syclArrays } from '../support/elements.js';
import { expectRefusal } from '../support/refusal.js';
import { reported } from '../support/vectors.js';

/** The code and path of a refusal, or null: held. */
type Refusal = readonly [ErrorCode, path: string] | null;

/** What becomes of `array` when a protocol without base, queue and names carries it. */
function carried(array: ArrayDescriptor, changes: object = {}): ArrayDescriptor {
  const { shape, itemsize, contiguous, mask } = array;
  return replace(array, {
    byteStrides: contiguous.c ? contiguousByteStrides(shape, itemsize) : array.byteStrides,
    dtype: unnamed(array.dtype),
    mask: mask && carried(mask, mask.size === 0 && 'pointer' in changes ? { pointer: 0n } : {}),
    base: null,
    syclobj: null,
    ...changes,
  });
}

const unnamed = ({ name, typestr, ...rest }: DType): DType =>
  name === undefined ? { typestr, ...rest } : dtype(typestr);

function cudaRefusal({ mask, stream, buffer }: ArrayDescriptor, version: number): Refusal {
  if (mask !== null && version === 0) return ['ERR_MASK', 'mask'];
  if (stream !== null && version < 3) return ['ERR_STREAM', 'stream'];
  return buffer === null ? null : ['ERR_POINTER_UNKNOWN', 'data[0]'];
}

function hostRefusal({ stream, buffer, readOnly }: ArrayDescriptor): Refusal {
  if (stream !== null) return ['ERR_STREAM', 'stream'];
  return buffer !== null && readOnly ? ['ERR_READ_ONLY', 'data'] : null;
}

/** The axis whose stride an interface that counts elements cannot hold, or -1. */
const brokenAxis = ({ byteStrides, shape, itemsize }: ArrayDescriptor) =>
  byteStrides.findIndex((stride, axis) => (shape[axis] as number) > 1 && stride % itemsize !== 0);

function elementsRefusal(array: ArrayDescriptor, kinds: RegExp, paths: [string, string]): Refusal {
  if (array.mask !== null) return ['ERR_MASK', 'mask'];
  if (array.stream !== null) return ['ERR_STREAM', 'stream'];
  const { byteOrder } = array.dtype;
  if (!kinds.test(typeText(array.dtype))) return ['ERR_DTYPE_UNSUPPORTED', paths[0]];
  if (byteOrder === 'big') return ['ERR_BYTE_ORDER', paths[0]];
  const axis = brokenAxis(array);
  if (axis !== -1) return ['ERR_STRIDE_UNIT', `${paths[1]}[${axis}]`];
  return array.buffer === null ? null : ['ERR_POINTER_UNKNOWN', 'data[0]'];
}

/** Strides after an interface that counts elements: those that are no whole elements become dense. */
function wholeStrides({ byteStrides, shape, itemsize }: ArrayDescriptor): number[] {
  const dense = contiguousByteStrides(shape, itemsize);
  return byteStrides.map((stride, axis) =>
    stride % itemsize === 0 ? stride : (dense[axis] as number),
  );
}

const SYCL = /^[<>|](b1|[iu][1248]|f[248]|c8|c16)$/;
const DLPACK = /^([<>|](b1|[iu][1248]|f[248]|c8|c16)|(bfloat|float\d_|complex).*)$/;

/** How many arrays were held and how many refused: both must happen, or nothing was tested. */
function tally() {
  const codes = new Map<string, number>();
  return {
    codes,
    check(refused: Refusal, write: () => unknown, held: () => void): void {
      const code = refused?.[0] ?? 'held';
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (refused === null) held();
      else expectRefusal(write, ...refused);
    },
  };
}

describe('an array of any kind is written completely or refused', () => {
  it.each([0, 1, 2, 3] as const)('by CAI version %d', (version) => {
    const { check, codes } = tally();
    const property = fc.property(descriptors, (array) => {
      const write = () => toCudaArrayInterface(array, { version });
      check(cudaRefusal(array, version), write, () => {
        const again = fromCudaArrayInterface(write());
        expect(again).toEqual(carried(array, { pointer: array.size === 0 ? 0n : array.pointer }));
        expect(toCudaArrayInterface(again, { version })).toEqual(write());
      });
    });
    fc.assert(property, random(500));
    expect(codes.get('held')).toBeGreaterThan(0);
    expect(codes.get('ERR_POINTER_UNKNOWN')).toBeGreaterThan(0);
  });

  it("by NumPy's interface", () => {
    const { check, codes } = tally();
    const property = fc.property(descriptors, (array) => {
      const write = () => toArrayInterface(array);
      check(hostRefusal(array), write, () => {
        const again = fromArrayInterface(write());
        expect(again).toEqual(carried(array));
        expect(toArrayInterface(again)).toEqual(write());
      });
    });
    fc.assert(property, random(500));
    expect([...codes.keys()].sort()).toEqual(['ERR_READ_ONLY', 'ERR_STREAM', 'held']);
  });

  it('by SUAI', () => {
    const { check, codes } = tally();
    const property = fc.property(suitable(SYCL), (array) => {
      const write = () => toSyclUsmArrayInterface(array, { syclobj: 'gpu:1' });
      check(elementsRefusal(array, SYCL, ['typestr', 'strides']), write, () => {
        const { pointer, base } = array;
        const again = fromSyclUsmArrayInterface(write());
        expect(again).toEqual(
          replace(array, {
            byteStrides: wholeStrides(array) as never,
            base: base ?? { pointer, elementOffset: 0 },
            syclobj: 'gpu:1',
          }),
        );
        expect(toSyclUsmArrayInterface(again)).toEqual(write());
      });
    });
    fc.assert(property, random(1000));
    expect(codes.get('held')).toBeGreaterThan(0);
    expect(codes.size).toBe(7);
  });

  it('by DLPack', () => {
    const { check, codes } = tally();
    const device = { type: DLPACK_DEVICES.cuda, id: 0 };
    const property = fc.property(suitable(DLPACK), (array) => {
      const write = () => toDLPack(array, { device });
      check(elementsRefusal(array, DLPACK, ['dtype', 'byteStrides']), write, () => {
        expect(fromDLPack(write())).toEqual(
          replace(array, {
            pointer: array.size === 0 ? 0n : array.pointer,
            byteStrides: wholeStrides(array) as never,
            base: null,
            syclobj: null,
          }),
        );
      });
    });
    fc.assert(property, random(1000));
    expect(codes.get('held')).toBeGreaterThan(0);
    expect(codes.size).toBe(7);
  });
});

/** Any arrays, and more of those that an interface of elements may hold. */
function suitable(kinds: RegExp): fc.Arbitrary<ArrayDescriptor> {
  const bare = descriptors.map((array) => replace(array, { mask: null, stream: null }));
  const plain = bare.filter((array) => kinds.test(typeText(array.dtype)));
  const whole = plain.map((array) => {
    const strides = array.byteStrides.map((stride) => stride - (stride % array.itemsize));
    return makeDescriptor({ ...array, pointer: array.pointer, byteStrides: strides });
  });
  return fc.oneof(descriptors, bare, plain, whole);
}

describe('written arrays read the same', () => {
  it('as SUAI, to the last key', () => {
    fc.assert(
      fc.property(syclArrays, (array) => {
        const again = fromSyclUsmArrayInterface(toSyclUsmArrayInterface(array));
        expect(again).toEqual(array);
      }),
      random(),
    );
  });

  it('from a SUAI dict, which is the same dict', () => {
    const axes = fc.array(fc.tuple(fc.nat({ max: 5 }), fc.integer({ min: -9, max: 9 })), {
      maxLength: 5,
    });
    const property = fc.property(
      axes,
      fc.constantFrom('|b1', '|i1', '<u2', '<i4', '<f2', '<f4', '<f8', '<c8', '<c16'),
      fc.integer({ min: -50, max: 50 }),
      fc.bigInt({ min: 2n ** 20n, max: 2n ** 64n - 2n ** 20n }),
      fc.boolean(),
      fc.constantFrom('cpu', 'opencl:gpu:1', { name: 'SyclQueueRef', pointer: 64n }),
      (pairs, typestr, offset, pointer, readOnly, syclobj) => {
        const shape = pairs.map(([length]) => length);
        const strides = pairs.map(([, stride]) => stride);
        const dense = contiguousByteStrides(shape, 1).every((step, axis) => step === strides[axis]);
        const dict = {
          shape,
          typestr,
          data: [pointer, readOnly],
          strides: dense ? null : strides,
          offset,
          version: 1,
          syclobj,
        };
        expect(toSyclUsmArrayInterface(fromSyclUsmArrayInterface(dict))).toEqual(dict);
        const spelled = typestr.replace('<', '|');
        const dpctl = fromSyclUsmArrayInterface({ ...dict, typestr: spelled });
        expect(toSyclUsmArrayInterface(dpctl)).toEqual(dict);
      },
    );
    fc.assert(property, random(500));
  });

  it('from SUAI through CAI and back', () => {
    fc.assert(
      fc.property(syclArrays, (array) => {
        const between = fromCudaArrayInterface(toCudaArrayInterface(array));
        const again = fromSyclUsmArrayInterface({
          ...toSyclUsmArrayInterface(between, { syclobj: 'cpu' }),
        });
        expect(addresses(again)).toEqual(addresses(array));
        const { itemsize, kind, readOnly, shape } = reported(array);
        expect(reported(again)).toMatchObject({ itemsize, kind, readOnly, shape });
      }),
      random(),
    );
  });

  it("from CAI through NumPy's interface and back", () => {
    const still = descriptors.filter(({ buffer, size }) => buffer === null && size > 0);
    fc.assert(
      fc.property(still, (array) => {
        const dict = toCudaArrayInterface(replace(array, { stream: null }));
        const host = fromArrayInterface(toArrayInterface(fromCudaArrayInterface(dict)));
        expect(toCudaArrayInterface(host)).toEqual(dict);
      }),
      random(300),
    );
  });
});
