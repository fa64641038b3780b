import { describe, expect, it } from 'vitest';
import {
  fromCudaArrayInterface,
  fromProducer,
  makeDescriptor,
  toCudaArrayInterface as write,
} from '../../src/index.js';
import { expectRefusal } from '../support/refusal.js';

const make = (changes: object = {}) =>
  makeDescriptor({ pointer: 4096n, shape: [2, 3], dtype: 'float32', ...changes });

describe('toCudaArrayInterface', () => {
  it('writes version 3', () => {
    expect(write(make({ readOnly: true, stream: 2 }))).toEqual({
      shape: [2, 3],
      typestr: '<f4',
      data: [4096n, true],
      strides: null,
      version: 3,
      stream: 2n,
    });
  });

  it.each([
    ['C order', [2, 3], [12, 4], null],
    ['C order but for an axis of length 1', [1, 3], [5, 4], null],
    ['Fortran order', [2, 3], [4, 8], [4, 8]],
    ['broadcast', [2, 3], [0, 4], [0, 4]],
    ['reversed', [2, 3], [-12, -4], [-12, -4]],
    ['no elements', [0, 3], [7, 7], null],
  ])('strides are null exactly when C-contiguous: %s', (_name, shape, byteStrides, strides) => {
    expect(write(make({ shape, byteStrides })).strides).toEqual(strides);
  });

  it('gives an empty array no address', () => {
    expect(write(make({ shape: [0] })).data[0]).toBe(0n);
  });

  it('writes older versions without a stream, and only when none is pending', () => {
    for (const version of [0, 1, 2] as const) {
      const dict = write(make(), { version });
      expect(dict).toMatchObject({ version });
      expect(dict).not.toHaveProperty('stream');
      expectRefusal(() => write(make({ stream: 1n }), { version }), 'ERR_STREAM', 'stream');
    }
    for (const version of [4, -1, '3', 2.5, null]) {
      expectRefusal(() => write(make(), { version: version as never }), 'ERR_VERSION', 'version');
    }
  });

  it('leaves out the streams that the caller has waited for, in every version, and nothing else', () => {
    const busy = make({ stream: 1n, mask: make({ stream: 9n }) });
    for (const version of [1, 2, 3] as const) {
      const quiet = write(make({ mask: make() }), { version });
      expect(write(busy, { version, settled: true })).toEqual(quiet);
      if (version < 3) {
        const asked = { version, settled: false };
        expectRefusal(() => write(busy, asked), 'ERR_STREAM', 'stream');
      }
    }
    expectRefusal(() => write(busy, { version: 0, settled: true }), 'ERR_MASK', 'mask');
    expectRefusal(() => write(busy, { settled: 1 as never }), 'ERR_ARGUMENT', 'settled');
    expect(write(busy)).toMatchObject({ stream: 1n });
  });

  it('includes a mask, but not in version 0', () => {
    const mask = make({ dtype: 'bool', pointer: 64n });
    const masked = make({ mask });
    expect(write(masked).mask).toEqual({ __cuda_array_interface__: write(mask) });
    expect(write(masked, { version: 1 }).mask?.__cuda_array_interface__.version).toBe(1);
    expectRefusal(() => write(masked, { version: 0 }), 'ERR_MASK', 'mask');
    const busy = make({ mask: make({ stream: 9n }) });
    expectRefusal(() => write(busy, { version: 2 }), 'ERR_STREAM', 'mask.stream');
  });

  it('writes records and bit masks so that they read the same', () => {
    const given = {
      ...{ shape: [3], typestr: '|V16', data: [4096n, false], strides: null, version: 3 },
      ...{
        stream: null,
        descr: [
          ['a', '|b1'],
          ['', '|V7'],
          [['Title', 'b'], '<f4', [2]],
        ],
      },
      mask: {
        __cuda_array_interface__: {
          ...{ shape: [3], typestr: '|t1', data: [64n, false], strides: null, version: 3 },
          stream: null,
        },
      },
    };
    expect(write(fromCudaArrayInterface(given))).toEqual(given);
  });

  it('does not invent an address', () => {
    const inBuffer = fromProducer(new Float32Array(6));
    expectRefusal(() => write(inBuffer), 'ERR_POINTER_UNKNOWN', 'data[0]');
    const mask = fromProducer(new Uint8Array(3));
    expectRefusal(() => write(make({ mask })), 'ERR_POINTER_UNKNOWN', 'mask.data[0]');
    expectRefusal(() => write({} as never), 'ERR_TYPE', 'array');
  });
});
