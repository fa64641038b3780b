import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replace } from '../../src/descriptor/descriptor.js';
import { DLPACK_DEVICES, type DLPackFields, fromDLPack, toDLPack } from '../../src/dlpack/index.js';
import { NAMED_DTYPES } from '../../src/dlpack/named-codes.js';
import type { NamedDType } from '../../src/dtype/named-dtypes.js';
import {
  dtype,
  dtypesEqual,
  fromCudaArrayInterface,
  makeDescriptor,
  toCudaArrayInterface,
  view,
} from '../../src/index.js';
import { expectRefusal, refusal } from '../support/refusal.js';

const device = { type: DLPACK_DEVICES.cuda, id: 1 };

// Codes and bits as dlpack.h 1.1 to 1.3 list them.
const PLAIN = [
  ['bool', 6, 8],
  ['int8', 0, 8],
  ['int16', 0, 16],
  ['int32', 0, 32],
  ['int64', 0, 64],
  ['uint8', 1, 8],
  ['uint16', 1, 16],
  ['uint32', 1, 32],
  ['uint64', 1, 64],
  ['float16', 2, 16],
  ['float32', 2, 32],
  ['float64', 2, 64],
  ['complex64', 5, 64],
  ['complex128', 5, 128],
  ['bfloat16', 4, 16],
  ['complex32', 5, 32],
  ['float8_e3m4', 7, 8],
  ['float8_e4m3', 8, 8],
  ['float8_e4m3b11fnuz', 9, 8],
  ['float8_e4m3fn', 10, 8],
  ['float8_e4m3fnuz', 11, 8],
  ['float8_e5m2', 12, 8],
  ['float8_e5m2fnuz', 13, 8],
  ['float8_e8m0fnu', 14, 8],
  ['float6_e2m3fn', 15, 6],
  ['float6_e3m2fn', 16, 6],
  ['float4_e2m1fn', 17, 4],
] as const;

const fields = (changes: object = {}): unknown => ({
  version: { major: 1, minor: 1 },
  readOnly: false,
  copied: false,
  subBytePadded: false,
  data: 4096n,
  byteOffset: 16n,
  device,
  dtype: { code: 2, bits: 32, lanes: 1 },
  shape: [2, 3],
  elementStrides: [-3, 1],
  ...changes,
});

describe('DLPack', () => {
  it.each(PLAIN)('has %s as code %d of %d bits', (name, code, bits) => {
    const array = makeDescriptor({ pointer: 4096n, shape: [5], dtype: name });
    const written = toDLPack(array, { device });
    expect(written.dtype).toEqual({ code, bits, lanes: 1 });
    expect(written.subBytePadded).toBe(bits < 8);
    expect(written).toMatchObject({ version: { major: 1, minor: 3 }, copied: false });
    expect(fromDLPack(written)).toEqual(array);
  });

  it('writes and reads the same array, whatever its layout', () => {
    const axis = fc.tuple(fc.nat({ max: 5 }), fc.integer({ min: -9, max: 9 }));
    const property = fc.property(
      fc.array(axis, { maxLength: 5 }),
      fc.constantFrom(...PLAIN.map(([name]) => name)),
      fc.boolean(),
      (axes, name, readOnly) => {
        const { itemsize } = dtype(name);
        const array = makeDescriptor({
          pointer: 2n ** 60n,
          shape: axes.map(([length]) => length),
          byteStrides: axes.map(([, step]) => step * itemsize),
          dtype: name,
          readOnly,
        });
        const again = fromDLPack(toDLPack(array, { device }));
        expect(again).toEqual(array.size === 0 ? replace(array, { pointer: 0n }) : array);
        const written = toDLPack(again, { device });
        expect(structuredClone(written)).toEqual(written);
        expect(toDLPack(fromDLPack(written), { device })).toEqual(written);
      },
    );
    fc.assert(property, random(500));
  });

  it('reads fields', () => {
    const owner = {};
    expect(fromDLPack(fields({ readOnly: true }), { owner })).toMatchObject({
      pointer: 4112n,
      shape: [2, 3],
      byteStrides: [-12, 4],
      dtype: dtype('float32'),
      readOnly: true,
      owner,
    });
    expect(fromDLPack(fields({ elementStrides: null })).byteStrides).toEqual([12, 4]);
    expect(fromDLPack(fields({ data: null, byteOffset: 0, shape: [0, 3] })).pointer).toBe(0n);
    expect(fromDLPack(fields({ version: { major: 1, minor: 99 } })).size).toBe(6);
    expect(fromDLPack(fields({ version: null })).size).toBe(6);
    const half = { code: 17, bits: 4, lanes: 2 };
    expect(fromDLPack(fields({ dtype: half })).dtype).toEqual(dtype('float4_e2m1fn_x2'));
  });

  it.each([
    [{ version: { major: 2, minor: 0 } }, 'ERR_VERSION', 'version.major'],
    [{ version: { major: 0, minor: 8 } }, 'ERR_VERSION', 'version.major'],
    [{ version: 1 }, 'ERR_TYPE', 'version'],
    [{ version: undefined }, 'ERR_MISSING_KEY', 'version'],
    [{ version: { major: 1 } }, 'ERR_MISSING_KEY', 'version.minor'],
    [{ version: { major: 1, minor: -1 } }, 'ERR_OVERFLOW', 'version.minor'],
    [{ version: { major: 1, minor: 2 ** 32 } }, 'ERR_OVERFLOW', 'version.minor'],
    [{ readOnly: 1 }, 'ERR_TYPE', 'readOnly'],
    [{ copied: undefined }, 'ERR_MISSING_KEY', 'copied'],
    [{ copied: 1 }, 'ERR_TYPE', 'copied'],
    [{ subBytePadded: null }, 'ERR_TYPE', 'subBytePadded'],
    [{ data: 2n ** 64n }, 'ERR_POINTER_RANGE', 'data'],
    [{ data: '4096' }, 'ERR_TYPE', 'data'],
    [{ data: 0n }, 'ERR_NULL_POINTER', 'data'],
    [{ data: null }, 'ERR_NULL_POINTER', 'data'],
    [{ byteOffset: 2n ** 64n - 1n }, 'ERR_OVERFLOW', 'data'],
    [{ byteOffset: -1 }, 'ERR_POINTER_RANGE', 'byteOffset'],
    [{ byteOffset: null }, 'ERR_TYPE', 'byteOffset'],
    [{ device: { type: 4, id: 0 } }, 'ERR_POINTER_UNKNOWN', 'device.type'],
    [{ device: { type: 2, id: -1 } }, 'ERR_OVERFLOW', 'device.id'],
    [{ device: { type: 2, id: 2 ** 31 } }, 'ERR_OVERFLOW', 'device.id'],
    [{ device: 'cuda:0' }, 'ERR_TYPE', 'device'],
    [{ device: { type: 2 } }, 'ERR_MISSING_KEY', 'device.id'],
    [{ device: { type: '2', id: 0 } }, 'ERR_TYPE', 'device.type'],
    [{ device: { type: 2, id: '0' } }, 'ERR_TYPE', 'device.id'],
    [{ dtype: 'float32' }, 'ERR_TYPE', 'dtype'],
    [{ shape: [2 ** 40, 2 ** 40], elementStrides: null }, 'ERR_OVERFLOW', 'shape'],
    [{ shape: [3, 3], elementStrides: [2 ** 50, 2 ** 50] }, 'ERR_OVERFLOW', 'elementStrides'],
    [{ dtype: { code: 2, bits: 32, lanes: 4 } }, 'ERR_DTYPE_UNSUPPORTED', 'dtype'],
    [{ dtype: { code: 2, bits: 128, lanes: 1 } }, 'ERR_DTYPE_UNSUPPORTED', 'dtype'],
    [{ dtype: { code: 17, bits: 4, lanes: 1 } }, 'ERR_DTYPE_UNSUPPORTED', 'dtype'],
    [{ dtype: { code: 3, bits: 64, lanes: 1 } }, 'ERR_DTYPE_UNSUPPORTED', 'dtype'],
    [{ dtype: { code: 6, bits: 1, lanes: 1 } }, 'ERR_DTYPE_UNSUPPORTED', 'dtype'],
    [{ dtype: { code: 99, bits: 8, lanes: 1 } }, 'ERR_DTYPE_UNSUPPORTED', 'dtype'],
    [{ dtype: { code: 2, bits: 32, lanes: 0 } }, 'ERR_DTYPE_UNSUPPORTED', 'dtype'],
    [{ dtype: { code: 256, bits: 32, lanes: 1 } }, 'ERR_OVERFLOW', 'dtype.code'],
    [{ dtype: { code: 2, bits: 256, lanes: 1 } }, 'ERR_OVERFLOW', 'dtype.bits'],
    [{ dtype: { code: 2, bits: 32, lanes: 2 ** 16 } }, 'ERR_OVERFLOW', 'dtype.lanes'],
    [{ dtype: { code: 2, bits: 32, lanes: -1 } }, 'ERR_OVERFLOW', 'dtype.lanes'],
    [{ dtype: { code: 2, bits: '32', lanes: 1 } }, 'ERR_TYPE', 'dtype.bits'],
    [{ dtype: { code: 2, bits: 32 } }, 'ERR_MISSING_KEY', 'dtype.lanes'],
    [{ shape: [2, -3] }, 'ERR_NEGATIVE_DIMENSION', 'shape[1]'],
    [{ shape: null }, 'ERR_TYPE', 'shape'],
    [{ elementStrides: [1] }, 'ERR_RANK_MISMATCH', 'elementStrides'],
    [{ elementStrides: [1, 0.5] }, 'ERR_TYPE', 'elementStrides[1]'],
    [{ elementStrides: [2 ** 52, 1] }, 'ERR_OVERFLOW', 'elementStrides[0]'],
  ] as const)('refuses to read %o', (changes, code, path) => {
    expectRefusal(() => fromDLPack(fields(changes)), code, path);
  });

  // All of dlpack.h 1.3 whose data is a handle, or whose address we know nothing of.
  it.each([
    [4, 'kDLOpenCL'],
    [7, 'kDLVulkan'],
    [8, 'kDLMetal'],
    [9, 'kDLVPI'],
    [12, 'kDLExtDev'],
    [15, 'kDLWebGPU'],
    [16, 'kDLHexagon'],
    [17, 'kDLMAIA'],
    [18, 'kDLTrn'],
  ])('refuses devices of type %i by their name, %s', (type, name) => {
    const other = fields({ device: { type, id: 0 } });
    const { code, path, message } = refusal(() => fromDLPack(other));
    expect({ code, path }).toEqual({ code: 'ERR_POINTER_UNKNOWN', path: 'device.type' });
    expect(message).toContain(`got ${type}, which is ${name};`);
  });

  it('refuses devices that no version has', () => {
    for (const type of [-1, 0, 5, 6, 19, 2 ** 31]) {
      const other = fields({ device: { type, id: 0 } });
      expect(refusal(() => fromDLPack(other)).message).toContain(`got ${type}; copy`);
    }
  });

  it('refuses to write what it cannot hold, in this order', () => {
    const mask = makeDescriptor({ pointer: 64n, shape: [2], dtype: 'bool' });
    const buffer = new ArrayBuffer(128);
    const worst = {
      pointer: 8,
      shape: [2],
      dtype: dtype('|S4'),
      byteStrides: [5],
      stream: 7n,
      mask,
      buffer,
    };
    const written = (changes: object, more: object = {}) =>
      toDLPack(makeDescriptor({ ...worst, ...changes }), { device, ...more });
    expectRefusal(() => written({}), 'ERR_MASK', 'mask');
    expectRefusal(() => written({ mask: null }), 'ERR_STREAM', 'stream');
    const bare = { mask: null, stream: null };
    for (const dtype of ['|S4', '|V2', '<U1', '<M8[ns]', '<m8', '<f16', '<c32']) {
      const dense = { ...bare, dtype, byteStrides: null };
      expectRefusal(() => written(dense), 'ERR_DTYPE_UNSUPPORTED', 'dtype');
    }
    expectRefusal(() => written({ ...bare, dtype: '>f4' }), 'ERR_BYTE_ORDER', 'dtype');
    const plain = { ...bare, dtype: '<f4' };
    expectRefusal(() => written(plain), 'ERR_STRIDE_UNIT', 'byteStrides[0]');
    const aligned = { ...plain, byteStrides: [8] };
    expectRefusal(() => written(aligned), 'ERR_POINTER_UNKNOWN', 'data[0]');
    expect(written({ ...aligned, pointer: 4096n, buffer: null }).elementStrides).toEqual([2]);
    const other = { device: { type: 7, id: 0 } };
    expectRefusal(() => written({}, other), 'ERR_POINTER_UNKNOWN', 'device.type');
    expectRefusal(() => written({}, { device: undefined }), 'ERR_TYPE', 'device');
  });

  it('requires an array and its device', () => {
    const array = makeDescriptor({ pointer: 64n, shape: [2], dtype: 'bool' });
    const busy = makeDescriptor({ pointer: 64n, shape: [2], dtype: 'float32', stream: 1n });
    const written = toDLPack(busy, { device, settled: true });
    expect(written).toEqual(
      toDLPack(makeDescriptor({ pointer: 64n, shape: [2], dtype: 'float32' }), { device }),
    );
    expectRefusal(() => toDLPack(busy, { device, settled: false }), 'ERR_STREAM', 'stream');
    expectRefusal(() => toDLPack({} as never, { device }), 'ERR_TYPE', 'array');
    expectRefusal(() => (toDLPack as (one: unknown) => unknown)(array), 'ERR_TYPE', 'device');
    expectRefusal(() => fromDLPack(null), 'ERR_TYPE', 'fields');
  });

  it('pads no elements of half a byte', () => {
    const pairs = makeDescriptor({ pointer: 64n, shape: [2], dtype: 'float4_e2m1fn_x2' });
    const written = toDLPack(pairs, { device });
    expect(written).toMatchObject({ subBytePadded: false, dtype: { bits: 4, lanes: 2 } });
    expect(fromDLPack(written)).toEqual(pairs);
    // Padded, each of the two has a byte of its own: an element of two bytes, which has no name.
    expect(() => fromDLPack({ ...written, subBytePadded: true })).toThrow(
      expect.objectContaining({ code: 'ERR_DTYPE_UNSUPPORTED', path: 'dtype' }),
    );
  });

  it('writes no record as something else', () => {
    const dict = {
      version: 3,
      shape: [2],
      typestr: '|V2',
      descr: [['x', '<i2']],
      data: [64, false],
    };
    const array = fromCudaArrayInterface(dict);
    const options = { device, dtype: 'bfloat16' } as const;
    expectRefusal(() => toDLPack(array, options), 'ERR_DTYPE_UNSUPPORTED', 'dtype');
  });

  it('can be told what opaque bytes hold', () => {
    const dict = { version: 2, shape: [4], typestr: '<V2', data: [4096n, false] };
    const torch = fromCudaArrayInterface(dict);
    expect(torch.dtype.name).toBeUndefined();
    const written: DLPackFields = toDLPack(torch, { device, dtype: 'bfloat16' });
    expect(written.dtype).toEqual({ code: 4, bits: 16, lanes: 1 });
    const named = fromDLPack(written);
    expect(view(torch, 'bfloat16').dtype).toEqual(named.dtype);
    expect(toDLPack(view(torch, 'bfloat16'), { device }).dtype).toEqual(written.dtype);
    expect(named.dtype).toMatchObject({ name: 'bfloat16', typestr: '|V2', kind: 'V' });
    expect(toCudaArrayInterface(named).typestr).toBe('|V2');
    for (const wrong of ['float8_e5m2', 'bfloat17', 5]) {
      const options = { device, dtype: wrong as NamedDType };
      expectRefusal(() => toDLPack(torch, options), 'ERR_DTYPE_UNSUPPORTED', 'dtype');
    }
  });
});

describe('named dtypes', () => {
  it('are opaque bytes of their size', () => {
    for (const name of Object.keys(NAMED_DTYPES) as NamedDType[]) {
      const named = dtype(name);
      expect(named).toMatchObject({ kind: 'V', byteOrder: 'none', fields: null, name });
      const large = { complex32: 4, bfloat16: 2 } as Partial<Record<NamedDType, number>>;
      expect(named.itemsize).toBe(large[name] ?? 1);
      expect(dtype(named)).toEqual(named);
      expect(dtype({ ...named, name: 'unknown' as NamedDType })).toEqual(dtype(named.typestr));
    }
  });

  it('equal bytes without a name, not those of another name', () => {
    expect(dtypesEqual(dtype('float8_e5m2'), dtype('float8_e5m2'))).toBe(true);
    expect(dtypesEqual(dtype('float8_e5m2'), dtype('|V1'))).toBe(true);
    expect(dtypesEqual(dtype('|V1'), dtype('float8_e5m2'))).toBe(true);
    expect(dtypesEqual(dtype('float8_e5m2'), dtype('float8_e4m3fn'))).toBe(false);
  });
});
