import { describe, expect, it } from 'vitest';
import {
  type ErrorCode,
  flip,
  fromArrayInterface,
  fromProducer,
  makeDescriptor,
  permuteDims,
  fromCudaArrayInterface as read,
  slice,
  toCudaArrayInterface as write,
} from '../../src/index.js';
import { expectRefusal } from '../support/refusal.js';

// Faults that were found in other readers and writers of the interface; none of them is ours.

const dict = (changes: object = {}) => ({
  shape: [2, 3],
  typestr: '<f4',
  data: [4096, false],
  version: 3,
  ...changes,
});

type Refusal = readonly [changes: object, code: ErrorCode, path: string];

function refuses(whose: string, rows: readonly Refusal[]): void {
  it.each(rows)(`${whose}: %o is refused`, (changes, code, path) => {
    expectRefusal(() => read(dict(changes)), code, path);
  });
}

describe('dicts that others accept', () => {
  refuses('mpi4py 4.1.2 counts 0, 16 or -16 bytes, or sends in place', [
    [{ shape: [2n ** 62n, 4] }, 'ERR_OVERFLOW', 'shape[0]'],
    [{ shape: [-2, -2] }, 'ERR_NEGATIVE_DIMENSION', 'shape[0]'],
    [{ typestr: '<f-4' }, 'ERR_TYPESTR', 'typestr'],
    [{ data: [-1, false] }, 'ERR_POINTER_RANGE', 'data[0]'],
  ]);

  refuses('Numba 0.30.4, cuda.core 1.2.2, PyArrow, JAX 0.10.2 take no typestr for float64', [
    [{ typestr: null }, 'ERR_TYPE', 'typestr'],
    [{ typestr: undefined }, 'ERR_MISSING_KEY', 'typestr'],
  ]);

  refuses('JAX 0.10.2 crashes, or counts negative lengths', [
    [{ data: [] }, 'ERR_TYPE', 'data'],
    [{ shape: [-3] }, 'ERR_NEGATIVE_DIMENSION', 'shape[0]'],
  ]);

  refuses('XGBoost 3.2 aborts the process, or wraps around', [
    [{ typestr: '<x4' }, 'ERR_TYPESTR', 'typestr'],
    [{ shape: [-4] }, 'ERR_NEGATIVE_DIMENSION', 'shape[0]'],
    [{ shape: [2n ** 62n, 4n] }, 'ERR_OVERFLOW', 'shape[0]'],
    [{ version: -1 }, 'ERR_VERSION', 'version'],
  ]);

  refuses('Numba 0.30.4 allocates -16 bytes, or fails far from the cause', [
    [{ shape: [-2, 2] }, 'ERR_NEGATIVE_DIMENSION', 'shape[0]'],
    [{ shape: [2 ** 64] }, 'ERR_TYPE', 'shape[0]'],
    [{ shape: [2n ** 64n] }, 'ERR_OVERFLOW', 'shape[0]'],
    [{ shape: [2.5] }, 'ERR_TYPE', 'shape[0]'],
    [{ stream: '1' }, 'ERR_TYPE', 'stream'],
    [{ stream: 0 }, 'ERR_STREAM', 'stream'],
    [{ version: undefined }, 'ERR_MISSING_KEY', 'version'],
    [{ version: 2.5 }, 'ERR_TYPE', 'version'],
    [{ version: 4 }, 'ERR_VERSION', 'version'],
  ]);

  refuses('Numba 0.30.4 and PyArrow read strides that are empty or false as none', [
    [{ strides: [] }, 'ERR_RANK_MISMATCH', 'strides'],
    [{ strides: false }, 'ERR_TYPE', 'strides'],
  ]);

  refuses('cuda.core 1.2.2 overflows, or cuts lengths', [
    [{ shape: [2n ** 61n], typestr: '<f8' }, 'ERR_OVERFLOW', 'shape[0]'],
    [{ shape: [2 ** 51], typestr: '<f8' }, 'ERR_OVERFLOW', 'shape'],
    [{ shape: [2.5] }, 'ERR_TYPE', 'shape[0]'],
    [{ shape: [true] }, 'ERR_TYPE', 'shape[0]'],
  ]);

  refuses('Numba 0.30.4, cuda.core 1.2.2 and PyArrow take elements at address 0', [
    [{ data: [0, false] }, 'ERR_NULL_POINTER', 'data[0]'],
    [{ data: [null, false] }, 'ERR_NULL_POINTER', 'data[0]'],
  ]);

  refuses('CuPy zips strides of another length with the shape', [
    [{ strides: [4] }, 'ERR_RANK_MISMATCH', 'strides'],
    [{ strides: [12, 4, 4] }, 'ERR_RANK_MISMATCH', 'strides'],
  ]);

  refuses('cuDF hands out data that is a lazy sequence', [
    [{ data: { 0: 4096, 1: false, length: 2 } }, 'ERR_TYPE', 'data'],
  ]);

  refuses('PyTorch 2.15, JAX 0.10.2, PyArrow and Warp look at no mask', [
    [{ mask: true }, 'ERR_MASK', 'mask'],
    [{ mask: { __cuda_array_interface__: dict({ shape: [7] }) } }, 'ERR_MASK', 'mask.shape'],
  ]);
});

describe('dicts that others misread', () => {
  it.each([
    ['<i1', [4], [8]],
    ['<f4', [4], [32]],
    ['<f4', [2, 3], [96, 32]],
  ])(
    'numba-cuda 0.30.4 takes bits for bytes: %s %o strides %o is not dense',
    (typestr, shape, strides) => {
      expect(read(dict({ typestr, shape, strides })).contiguous).toEqual({ c: false, f: false });
    },
  );

  it('numba-cuda 0.30.4 types dense arrays with strides as scattered', () => {
    expect(read(dict({ strides: [12, 4] })).contiguous).toEqual({ c: true, f: false });
    expect(read(dict({ strides: [4, 8] })).contiguous).toEqual({ c: false, f: true });
  });

  it('Numba 0.30.4 skips the mask of version 0', () => {
    const mask = { __cuda_array_interface__: dict({ typestr: '|b1' }) };
    expect(read(dict({ version: 0, mask })).mask?.shape).toEqual([2, 3]);
  });

  it('JAX 0.10.2 ignores a stream in version 2', () => {
    expect(read(dict({ version: 2, stream: 7 })).stream).toBe(7n);
  });

  it('JAX 0.10.2, PyTorch 2.15 and XGBoost 3.2 read big-endian numbers as little-endian', () => {
    expect(read(dict({ typestr: '>f4' })).dtype.byteOrder).toBe('big');
  });

  it('CuPy passes big-endian fields of a record on', () => {
    const { fields } = read(dict({ typestr: '|V4', descr: [['a', '>f4']] })).dtype;
    expect(fields?.[0]?.dtype.byteOrder).toBe('big');
  });

  it.each([
    ['a 0-d array', [], [], [0, 4]],
    ['a broadcast array', [5], [0], [0, 4]],
    ['overlapping rows', [3, 4], [4, 4], [0, 24]],
  ])('CuPy underestimates the extent of %s', (_what, shape, strides, extent) => {
    expect(read(dict({ shape, strides, data: [2 ** 40, false] })).extent).toEqual(extent);
  });

  it('XGBoost 3.2 floors strides to elements and wraps negative ones', () => {
    const array = read(dict({ shape: [2], strides: [7] }));
    expect(array).toMatchObject({ byteStrides: [7], elementStrides: null });
    expect(read(dict({ shape: [2], strides: [-8] })).elementStrides).toEqual([-2]);
  });

  it('numba#3723: negative strides are read as they are', () => {
    expect(read(dict({ strides: [-12, -4] })).byteStrides).toEqual([-12, -4]);
  });

  it('mpi4py 4.1.2 cannot parse a unit of time, and refuses the byte order of one byte', () => {
    expect(read(dict({ typestr: '<M8[ns]' })).dtype.typestr).toBe('<M8[ns]');
    expect(read(dict({ typestr: '>u1' })).dtype).toMatchObject({
      typestr: '|u1',
      byteOrder: 'none',
    });
  });

  it('mpi4py 4.1.2 counts characters of 1 byte', () => {
    expect(read(dict({ typestr: '<U2' }))).toMatchObject({ itemsize: 8, nbytes: 48 });
  });

  it('mpi4py 4.1.2, Numba and JAX ignore descr', () => {
    const descr = [
      ['x', '<f4'],
      ['', '|V2'],
      ['y', '<i2'],
    ];
    const { fields } = read(dict({ typestr: '|V8', descr })).dtype;
    expect(fields?.map(({ name, offset }) => [name, offset])).toEqual([
      ['x', 0],
      ['y', 6],
    ]);
  });

  it('cuDF fails where strides are absent, as RMM, JAX and ucxx leave them', () => {
    const array = read({ version: 0, shape: [16], typestr: '|u1', data: [4096, false] });
    expect(array).toMatchObject({ byteStrides: [1], contiguous: { c: true, f: true } });
  });

  it('NVIDIA/cuda-python#1396, pytorch#98133: an array without elements is asked for its device', () => {
    const array = read(dict({ shape: [0, 3], data: [0, false] }));
    expect(array).toMatchObject({ pointer: 0n, size: 0, extent: [0, 0] });
    expect(read(dict({ shape: [0, 3], data: [null, false] })).pointer).toBe(0n);
  });

  it('cupy#3009: more than 2^31 elements', () => {
    expect(read(dict({ shape: [2 ** 33] })).nbytes).toBe(2 ** 35);
  });

  it('PyTorch 2.15 and JAX 0.10.2 have no dtype for what PyTorch writes of bfloat16', () => {
    expect(read(dict({ typestr: '<V2' })).dtype).toMatchObject({ kind: 'V', itemsize: 2 });
  });

  it('pytorch 2.15: hasattr raises; a getter that throws is an error with its cause', () => {
    const cause = new Error("Can't get __cuda_array_interface__ on Variable that requires grad");
    const tensor = {
      get __cuda_array_interface__(): never {
        throw cause;
      },
    };
    expectRefusal(() => fromProducer(tensor), 'ERR_NO_INTERFACE', '__cuda_array_interface__');
  });
});

describe('dicts that others write wrongly', () => {
  const array = () => makeDescriptor({ pointer: 4096n, shape: [4, 6], dtype: 'float32' });

  it('Numba 0.30.4 exports a broadcast array as a dense one', () => {
    const broadcast = makeDescriptor({
      pointer: 4096n,
      shape: [4],
      dtype: 'float32',
      byteStrides: [0],
    });
    expect(write(broadcast).strides).toEqual([0]);
    expect(read(write(broadcast)).extent).toEqual([0, 4]);
  });

  it('cupy#2128: a slice exported the pointer of the whole', () => {
    expect(write(slice(array(), [[1, 3], 2])).data[0]).toBe(4096n + 24n + 8n);
    expect(write(flip(array(), 0)).data[0]).toBe(4096n + 72n);
  });

  it('numba#3705: a reversed array lost its shape', () => {
    expect(write(flip(array(), 0))).toMatchObject({ shape: [4, 6], strides: [-24, 4] });
  });

  it('numba#4175, cupy#2104, cupy#2610: an array without elements kept or lost its pointer', () => {
    const empty = slice(array(), [[2, 2]]);
    expect(write(empty)).toMatchObject({ data: [0n, false], strides: null });
    expect(read(write(empty)).shape).toEqual([0, 6]);
  });

  it('PyCUDA and Warp write strides of dense arrays, cupy#2462 wants them: null exactly when dense', () => {
    expect(write(array()).strides).toBeNull();
    expect(write(permuteDims(array(), [1, 0])).strides).toEqual([4, 24]);
  });

  it('CuPy, DALI and pytorch#32868: the read-only flag is lost on the way', () => {
    const fixed = read(dict({ data: [4096, true] }));
    for (const view of [fixed, slice(fixed, [1]), flip(fixed), permuteDims(fixed, [1, 0])]) {
      expect(view.readOnly).toBe(true);
      expect(write(view).data[1]).toBe(true);
    }
  });

  it('Numba 0.30.4 takes stream 0, on which cuda.core 1.2.2 fails an assertion: it is never written', () => {
    expect(write(array()).stream).toBeNull();
    const pending = makeDescriptor({ pointer: 4096n, shape: [4], dtype: 'float32', stream: 1n });
    expect(write(pending).stream).toBe(1n);
    expectRefusal(() => write(pending, { version: 2 }), 'ERR_STREAM', 'stream');
  });

  it('cuDF types a mask of bits as bytes: it is refused unless there is a byte for each element', () => {
    const mask = { __cuda_array_interface__: dict({ typestr: '|u1', shape: [64] }) };
    const column = (rows: number) => read(dict({ shape: [rows], mask }));
    expectRefusal(() => column(100), 'ERR_MASK', 'mask.shape');
    expect(column(64).mask).toMatchObject({ shape: [64], dtype: { typestr: '|u1' } });
  });

  it('a mask of bits is counted as bits', () => {
    const bits = { ...dict({ typestr: '|t1', shape: [2, 3], data: [8192, true] }) };
    const masked = read(dict({ mask: { __cuda_array_interface__: bits } }));
    expect(masked.mask).toMatchObject({ shape: [2, 3], nbytes: 1 });
    expect(write(masked).mask?.__cuda_array_interface__.typestr).toBe('|t1');
  });

  it('cuda.core 1.2.2, Numba and JAX drop fields; a record is written with its descr', () => {
    const descr = [
      ['x', '<f4'],
      ['y', '<i4'],
    ];
    const record = read(dict({ typestr: '|V8', descr }));
    expect(write(record).descr).toEqual(descr);
    const host = fromArrayInterface({ ...write(record), version: 3 });
    expect(host.dtype).toEqual(record.dtype);
  });
});
