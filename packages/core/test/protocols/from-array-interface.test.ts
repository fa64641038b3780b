import { describe, expect, it } from 'vitest';
import { fromArrayInterface as read, toArrayInterface } from '../../src/index.js';
import { expectRefusal } from '../support/refusal.js';

const dict = (changes: object = {}) => ({
  shape: [2, 3],
  typestr: '<f4',
  data: [4096, false],
  version: 3,
  ...changes,
});

describe('fromArrayInterface', () => {
  it('reads a pair as an address', () => {
    const array = read(dict({ data: [2n ** 60n, true], strides: [4, 8] }));
    expect(array).toMatchObject({ pointer: 2n ** 60n, readOnly: true, buffer: null });
    expect(array.contiguous).toEqual({ c: false, f: true });
  });

  it('counts from the first byte of a buffer', () => {
    const buffer = new ArrayBuffer(64);
    const inside = read(dict({ data: new DataView(buffer, 8, 40), offset: 16 }));
    expect(inside).toMatchObject({ pointer: 24n, buffer, readOnly: false, extent: [0, 24] });
    expect(read(dict({ data: buffer })).pointer).toBe(0n);
    expect(read(dict({ data: new Uint16Array(buffer, 2) })).pointer).toBe(2n);
    const shared = new SharedArrayBuffer(24);
    expect(read(dict({ data: shared })).buffer).toBe(shared);
  });

  it.each([
    [{ offset: -1 }, 'offset'],
    [{ offset: 17 }, 'offset'],
    [{ strides: [-12, 4] }, 'offset'],
    [{ shape: [11] }, 'offset'],
    [{ shape: [0], offset: 41 }, 'offset'],
  ])('stays inside the view: %o', (changes, path) => {
    const data = new Uint8Array(new ArrayBuffer(64), 8, 40);
    expectRefusal(() => read(dict({ data, ...changes })), 'ERR_OUT_OF_BOUNDS', path);
  });

  it('takes a reversed view of a buffer', () => {
    const array = read(dict({ data: new ArrayBuffer(24), offset: 20, strides: [-12, -4] }));
    expect(array).toMatchObject({ pointer: 20n, extent: [-20, 4] });
  });

  it('finds no bytes in a transferred buffer', () => {
    const data = new Float32Array(6);
    structuredClone(data.buffer, { transfer: [data.buffer] });
    expectRefusal(() => read(dict({ data })), 'ERR_OUT_OF_BOUNDS', 'offset');
  });

  it('is not deceived by a view that lies', () => {
    const data = new Uint8Array(8);
    Object.defineProperty(data, 'byteLength', { value: 1024 });
    expectRefusal(() => read(dict({ data })), 'ERR_OUT_OF_BOUNDS', 'offset');
    const posing = { [Symbol.toStringTag]: 'ArrayBuffer', byteLength: 1024 };
    expectRefusal(() => read(dict({ data: posing })), 'ERR_TYPE', 'data');
  });

  it.each([
    [{ version: 2 }, 'ERR_VERSION', 'version'],
    [{ data: null }, 'ERR_TYPE', 'data'],
    [{ data: [0, false] }, 'ERR_NULL_POINTER', 'data[0]'],
    [{ data: new ArrayBuffer(64), offset: '0' }, 'ERR_TYPE', 'offset'],
    [{ data: new ArrayBuffer(64), offset: null }, 'ERR_TYPE', 'offset'],
    [{ typestr: '=f4' }, 'ERR_TYPESTR', 'typestr'],
    [{ mask: { __cuda_array_interface__: dict() } }, 'ERR_MASK', 'mask'],
  ] as const)('refuses %o', (changes, code, path) => {
    expectRefusal(() => read(dict(changes)), code, path);
  });

  it('ignores a stream, and an offset beside an address', () => {
    expect(read(dict({ stream: 0, offset: 99 }))).toMatchObject({ pointer: 4096n, stream: null });
  });

  it('is written as it was read', () => {
    const buffer = new ArrayBuffer(64);
    const mask = {
      __array_interface__: dict({ typestr: '|b1', data: [64n, true], strides: null }),
    };
    const given = dict({ data: buffer, offset: 4, strides: [-4, 8], mask });
    const away = { ...given, offset: 20 };
    expect(toArrayInterface(read(away))).toEqual(away);
    const dense = dict({ data: [4096n, true], strides: null });
    expect(toArrayInterface(read(dense))).toEqual(dense);
  });
});
