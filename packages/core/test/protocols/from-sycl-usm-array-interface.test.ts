import { describe, expect, it } from 'vitest';
import { fromSyclUsmArrayInterface as read, toSyclUsmArrayInterface } from '../../src/index.js';
import { expectRefusal } from '../support/refusal.js';

const dict = (changes: object = {}) => ({
  shape: [2, 3],
  typestr: '|f4',
  data: [4096, false],
  strides: [-3, 1],
  offset: 8,
  version: 1,
  syclobj: 'cpu',
  ...changes,
});

describe('fromSyclUsmArrayInterface', () => {
  it('counts strides and offset in elements', () => {
    const array = read(dict());
    expect(array).toMatchObject({
      pointer: 4096n + 32n,
      byteStrides: [-12, 4],
      extent: [-12, 12],
      base: { pointer: 4096n, elementOffset: 8 },
      syclobj: 'cpu',
      stream: null,
    });
    expect(array.dtype.typestr).toBe('<f4');
  });

  it.each([
    [{ data: [null, false] }, 'ERR_TYPE', 'data[0]'],
    [{ data: [0, false] }, 'ERR_NULL_POINTER', 'data[0]'],
    [{ data: [32, false], offset: -8 }, 'ERR_NULL_POINTER', 'offset'],
    [{ data: [32, false], offset: -9 }, 'ERR_OVERFLOW', 'offset'],
    [{ offset: 1.5 }, 'ERR_TYPE', 'offset'],
    [{ offset: 2n ** 53n }, 'ERR_OVERFLOW', 'offset'],
    [{ strides: [2 ** 52, 1] }, 'ERR_OVERFLOW', 'strides[0]'],
    [{ strides: [1, 2, 3] }, 'ERR_RANK_MISMATCH', 'strides'],
    [{ version: 2 }, 'ERR_VERSION', 'version'],
    [{ typestr: '>f4' }, 'ERR_BYTE_ORDER', 'typestr'],
    [{ typestr: '<f16' }, 'ERR_DTYPE_UNSUPPORTED', 'typestr'],
    [{ typestr: '<c32' }, 'ERR_DTYPE_UNSUPPORTED', 'typestr'],
    [{ typestr: '|V4' }, 'ERR_DTYPE_UNSUPPORTED', 'typestr'],
    [{ typestr: '|t1' }, 'ERR_DTYPE_UNSUPPORTED', 'typestr'],
    [{ syclobj: undefined }, 'ERR_MISSING_KEY', 'syclobj'],
  ] as const)('refuses %o', (changes, code, path) => {
    expectRefusal(() => read(dict(changes)), code, path);
  });

  it('overrides the read-only flag only if asked to', () => {
    const memory = dict({ data: [4096, true] });
    expect(read(memory).readOnly).toBe(true);
    expect(read(memory, { readOnly: false }).readOnly).toBe(false);
    expect(read(dict(), { readOnly: true }).readOnly).toBe(true);
    expectRefusal(() => read(dict(), { readOnly: 0 as never }), 'ERR_ARGUMENT', 'readOnly');
  });

  it('is written as it was read', () => {
    const syclobj = { _get_capsule: () => ({ name: 'SyclQueueRef', pointer: 1n }) };
    const given = { ...dict({ data: [4096n, true], syclobj }), typestr: '<f4' };
    expect(toSyclUsmArrayInterface(read(given))).toEqual(given);
  });

  it('does not look for a mask or a stream', () => {
    expect(read(dict({ mask: true, stream: 0 })).mask).toBeNull();
  });
});
