import { describe, expect, it } from 'vitest';
import { fromCudaArrayInterface as read } from '../../src/index.js';
import { expectRefusal, refusal } from '../support/refusal.js';

const dict = (changes: object = {}) => ({
  shape: [2, 3],
  typestr: '<f4',
  data: [4096, false],
  version: 3,
  ...changes,
});
const masked = (mask: object | null, changes: object = {}) =>
  dict({ mask: { __cuda_array_interface__: mask }, ...changes });
const bits = (changes: object = {}) => dict({ typestr: '|t1', shape: [2, 3], ...changes });

describe('fromCudaArrayInterface', () => {
  it.each([
    [{ shape: [2, -3] }, 'ERR_NEGATIVE_DIMENSION', 'shape[1]'],
    [{ shape: [2, '3'] }, 'ERR_TYPE', 'shape[1]'],
    [{ shape: Array(2) }, 'ERR_TYPE', 'shape[0]'],
    [{ shape: new Uint32Array([2, 3]) }, 'ERR_TYPE', 'shape'],
    [{ shape: Array(65).fill(1) }, 'ERR_RANK_MISMATCH', 'shape'],
    [{ shape: [2 ** 30, 2 ** 30] }, 'ERR_OVERFLOW', 'shape'],
    [{ shape: [2 ** 51] }, 'ERR_OVERFLOW', 'shape'],
    [{ strides: [12] }, 'ERR_RANK_MISMATCH', 'strides'],
    [{ strides: [12, 4.5] }, 'ERR_TYPE', 'strides[1]'],
    [{ strides: [12, 2n ** 53n] }, 'ERR_OVERFLOW', 'strides[1]'],
    [{ strides: [2 ** 53 - 1, 4] }, 'ERR_OVERFLOW', 'strides'],
    [{ data: [0, false] }, 'ERR_NULL_POINTER', 'data[0]'],
    [{ data: [null, false] }, 'ERR_NULL_POINTER', 'data[0]'],
    [{ data: ['4096', false] }, 'ERR_TYPE', 'data[0]'],
    [{ data: [2n ** 64n, false] }, 'ERR_POINTER_RANGE', 'data[0]'],
    [{ data: [2n ** 64n - 23n, false] }, 'ERR_OVERFLOW', 'data[0]'],
    [{ data: [15, false], strides: [-16, 4] }, 'ERR_OVERFLOW', 'data[0]'],
    [{ data: [4096, 0] }, 'ERR_TYPE', 'data[1]'],
    [{ data: [4096] }, 'ERR_TYPE', 'data'],
    [{ data: new ArrayBuffer(24) }, 'ERR_TYPE', 'data'],
    [{ version: 4 }, 'ERR_VERSION', 'version'],
    [{ version: null }, 'ERR_TYPE', 'version'],
    [{ version: undefined }, 'ERR_MISSING_KEY', 'version'],
    [{ stream: 0 }, 'ERR_STREAM', 'stream'],
    [{ stream: 2 ** 60 }, 'ERR_TYPE', 'stream'],
    [{ typestr: null }, 'ERR_TYPE', 'typestr'],
    [{ descr: 0 }, 'ERR_TYPE', 'descr'],
  ] as const)('refuses %o', (changes, code, path) => {
    expectRefusal(() => read(dict(changes)), code, path);
  });

  it.each([null, undefined, 1, 'x', true, [], () => dict()])('requires a dict, not %s', (value) => {
    expectRefusal(() => read(value as never), 'ERR_TYPE', '__cuda_array_interface__');
  });

  it('takes the last bytes of the address space', () => {
    expect(read(dict({ data: [2n ** 64n - 24n, true] })).pointer).toBe(2n ** 64n - 24n);
  });

  it('keeps only the given owner', () => {
    const owner = {};
    expect(read(dict()).owner).toBeNull();
    expect(read(dict(), { owner }).owner).toBe(owner);
    const array = read(masked(bits()), { owner });
    expect(array.mask?.owner).toBe(owner);
  });

  it('takes proxies and objects without a prototype', () => {
    const bare = Object.assign(Object.create(null), dict());
    const proxy = new Proxy(dict({ shape: new Proxy([2, 3], {}) }), {});
    expect(read(bare).shape).toEqual([2, 3]);
    expect(read(proxy).byteStrides).toEqual([12, 4]);
  });

  it('reads each key and entry once', () => {
    const seen: string[] = [];
    const spy = <T extends object>(target: T, name: string): T =>
      new Proxy(target, {
        get(object, key) {
          seen.push(`${name}${String(key)}`);
          return Reflect.get(object, key);
        },
      });
    const data = spy([4096, false], 'data.');
    read(spy(dict({ shape: spy([2, 3], 'shape.'), data, stream: 1, mask: null }), ''));
    const keys = seen.filter((key) => !/length$/.test(key));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(expect.arrayContaining(['shape', 'shape.0', 'data.1', 'mask', 'stream']));
  });

  it('reports what a producer throws', () => {
    const fault = new Error('gone');
    const failing = Object.defineProperty(dict(), 'shape', {
      get() {
        throw fault;
      },
    });
    expectRefusal(() => read(failing), 'ERR_TYPE', 'shape');
    expect(refusal(() => read(failing)).cause).toBe(fault);
    const revoked = Proxy.revocable([2, 3], {});
    revoked.revoke();
    expectRefusal(() => read(dict({ shape: revoked.proxy })), 'ERR_TYPE', 'shape');
  });

  it('is not changed by a dict that changes afterwards', () => {
    const given = dict();
    const array = read(given);
    given.shape[0] = 99;
    expect(array.shape).toEqual([2, 3]);
    expect(() => (array.shape as number[]).push(1)).toThrow(TypeError);
    expect(() => Object.assign(array, { pointer: 0n })).toThrow(TypeError);
  });

  it('counts nothing of an array without elements', () => {
    const array = read(dict({ shape: [2 ** 50, 0, 2 ** 50, 8], data: [7, false] }));
    expect(array).toMatchObject({ pointer: 7n, size: 0, nbytes: 0, extent: [0, 0] });
    expect(array.byteStrides.every(Number.isSafeInteger)).toBe(true);
  });
});

describe('a mask', () => {
  it('is read into a descriptor of its own', () => {
    const array = read(masked(dict({ typestr: '|u1', shape: [3], data: [64, true], stream: 5 })));
    expect(array.mask).toMatchObject({ pointer: 64n, shape: [3], readOnly: true, stream: 5n });
  });

  it('of bits has eight to a byte', () => {
    const long = { shape: [3, 3], data: [64, false] };
    expect(read(masked(bits(long), long)).mask).toMatchObject({ nbytes: 2, extent: [0, 2] });
    expect(read(masked(bits({ ...long, strides: [3, 1] }), long)).mask?.ndim).toBe(2);
    const last = bits({ ...long, data: [2n ** 64n - 2n, false] });
    expect(read(masked(last, long)).mask?.pointer).toBe(2n ** 64n - 2n);
    const past = bits({ ...long, data: [2n ** 64n - 1n, false] });
    expectRefusal(() => read(masked(past, long)), 'ERR_OVERFLOW', 'mask.data[0]');
    const strided = masked(bits({ ...long, strides: [1, 3] }), long);
    expectRefusal(() => read(strided), 'ERR_MASK', 'mask.strides');
  });

  it.each([
    [true, 'ERR_MASK', 'mask'],
    [{}, 'ERR_MASK', 'mask'],
    [{ __array_interface__: dict() }, 'ERR_MASK', 'mask'],
    [{ __cuda_array_interface__: null }, 'ERR_MASK', 'mask'],
    [{ __cuda_array_interface__: 3 }, 'ERR_TYPE', 'mask'],
    [{ __cuda_array_interface__: dict({ shape: [2] }) }, 'ERR_MASK', 'mask.shape'],
    [{ __cuda_array_interface__: dict({ shape: [1, 2, 3] }) }, 'ERR_MASK', 'mask.shape'],
    [{ __cuda_array_interface__: dict({ strides: [1, 'x'] }) }, 'ERR_TYPE', 'mask.strides[1]'],
    [{ __cuda_array_interface__: masked(dict()) }, 'ERR_MASK', 'mask.mask'],
  ] as const)('is refused when it is %o', (mask, code, path) => {
    expectRefusal(() => read(dict({ mask })), code, path);
  });

  it('that masks itself is refused', () => {
    const mask = { __cuda_array_interface__: dict() };
    Object.assign(mask.__cuda_array_interface__, { mask });
    expectRefusal(() => read(dict({ mask })), 'ERR_MASK');
  });
});
