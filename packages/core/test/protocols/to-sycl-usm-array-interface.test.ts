import { describe, expect, it } from 'vitest';
import {
  fromProducer,
  fromSyclUsmArrayInterface,
  makeDescriptor,
  toSyclUsmArrayInterface as write,
} from '../../src/index.js';
import { expectRefusal } from '../support/refusal.js';

const make = (changes: object = {}) =>
  makeDescriptor({ pointer: 4096n, shape: [2, 3], dtype: 'float32', syclobj: 'cpu', ...changes });

describe('toSyclUsmArrayInterface', () => {
  it('counts elements', () => {
    expect(write(make({ byteStrides: [-64, 4], readOnly: true }))).toEqual({
      shape: [2, 3],
      typestr: '<f4',
      data: [4096n, true],
      strides: [-16, 1],
      offset: 0,
      version: 1,
      syclobj: 'cpu',
    });
  });

  it('keeps the base', () => {
    const base = { pointer: 4000n, elementOffset: 24 };
    expect(write(make({ base }))).toMatchObject({ data: [4000n, false], offset: 24 });
  });

  it('rewrites only strides that have no effect', () => {
    expect(write(make({ shape: [1, 3], byteStrides: [7, 4] })).strides).toBeNull();
    expect(write(make({ shape: [1, 3], byteStrides: [8, 4] })).strides).toEqual([2, 1]);
    expect(write(make({ shape: [0, 3], byteStrides: [7, 8] })).strides).toEqual([3, 2]);
    const odd = make({ shape: [0, 3], byteStrides: [8, 7] });
    expectRefusal(() => write(odd), 'ERR_STRIDE_UNIT', 'strides[1]');
  });

  it('looks for mask, stream, dtype, byte order, strides and syclobj in this order', () => {
    const faults = {
      mask: make(),
      stream: 1n,
      dtype: '>f16',
      byteStrides: [40, 9],
      syclobj: null,
    };
    const refuse = (changes: object, code: Parameters<typeof expectRefusal>[1], path: string) =>
      expectRefusal(() => write(make({ ...faults, ...changes })), code, path);
    refuse({}, 'ERR_MASK', 'mask');
    refuse({ mask: null }, 'ERR_STREAM', 'stream');
    refuse({ mask: null, stream: null }, 'ERR_DTYPE_UNSUPPORTED', 'typestr');
    const clean = { mask: null, stream: null };
    refuse({ ...clean, dtype: '>f8' }, 'ERR_BYTE_ORDER', 'typestr');
    refuse({ ...clean, dtype: '<f8' }, 'ERR_STRIDE_UNIT', 'strides[1]');
    refuse({ ...clean, dtype: '<f8', byteStrides: null }, 'ERR_SYCLOBJ', 'syclobj');
  });

  it("writes CuPy's dict once its stream was waited for, and refuses everything else as before", () => {
    const dict = { shape: [3], typestr: '<f4', data: [4096, false], version: 3, stream: 1 };
    const cupy = fromProducer({ __cuda_array_interface__: dict });
    const options = { syclobj: 'gpu', settled: true };
    expect(write(cupy, options)).toEqual(write(make({ shape: [3] }), { syclobj: 'gpu' }));
    expect(() => write(cupy)).toThrow('wait for the stream, then pass { settled: true }');
    expectRefusal(() => write(cupy, { settled: null as never }), 'ERR_ARGUMENT', 'settled');
    const faults = { stream: 1n, mask: make(), dtype: '>f8' };
    expectRefusal(() => write(make(faults), options), 'ERR_MASK', 'mask');
    const swapped = make({ ...faults, mask: null });
    expectRefusal(() => write(swapped, options), 'ERR_BYTE_ORDER', 'typestr');
  });

  it('takes the syclobj it is given before the one it has', () => {
    expect(write(make(), { syclobj: 'gpu:1' }).syclobj).toBe('gpu:1');
    expectRefusal(() => write(make(), { syclobj: 'GPU' }), 'ERR_SYCLOBJ', 'syclobj');
    expectRefusal(() => write(make(), { syclobj: 7 as never }), 'ERR_TYPE', 'syclobj');
  });

  it('does not invent an address', () => {
    const inBuffer = fromProducer(new Float32Array(6));
    expectRefusal(() => write(inBuffer, { syclobj: 'cpu' }), 'ERR_POINTER_UNKNOWN', 'data[0]');
  });

  it('keeps the pointer of an array without elements', () => {
    const dict = { shape: [0, 6], typestr: '<f4', data: [4096n, false], strides: [9, 1] };
    const given = { ...dict, offset: 3, version: 1, syclobj: 'cpu' };
    expect(write(fromSyclUsmArrayInterface(given))).toEqual(given);
  });
});
