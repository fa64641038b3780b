import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DTypeText,
  dtype,
  dtypesEqual,
  field,
  fromCudaArrayInterface,
  makeDescriptor,
  slice,
  view,
} from '../../src/index.js';
import { addresses, arrays, syclArrays } from '../support/elements.js';
import { record } from '../support/records.js';
import { expectRefusal, refusal } from '../support/refusal.js';

const make = (changes: object = {}) =>
  makeDescriptor({ pointer: 4096n, shape: [6, 4], dtype: 'float32', ...changes });

describe('view', () => {
  it('has the same positions with any dtype of the same size', () => {
    fc.assert(
      fc.property(arrays, (array) => {
        const opaque = view(array, `|V${array.itemsize}`);
        expect(addresses(opaque)).toEqual(addresses(array));
        expect(opaque.shape).toEqual(array.shape);
        expect(view(opaque, array.dtype)).toEqual(array);
      }),
      random(),
    );
  });

  it('divides the elements of a contiguous last axis, and joins them again', () => {
    fc.assert(
      fc.property(arrays, (any) => {
        const array = makeDescriptor({ ...any, byteStrides: null });
        if (array.ndim === 0) return;
        const bytes = view(array, 'uint8');
        const each = Array.from({ length: array.itemsize }, (_, byte) => BigInt(byte));
        expect(addresses(bytes)).toEqual(
          addresses(array).flatMap((place) => each.map((byte) => place + byte)),
        );
        expect(bytes.extent).toEqual(array.extent);
        expect(view(bytes, array.dtype)).toEqual(array);
      }),
      random(),
    );
  });

  it("keeps SUAI's base if that is whole elements away", () => {
    fc.assert(
      fc.property(syclArrays, (array) => {
        if (array.size === 0 || (array.ndim > 0 && array.shape.at(-1) !== 1)) return;
        const bytes = array.ndim === 0 ? view(array, `|V${array.itemsize}`) : view(array, 'int8');
        const { pointer, elementOffset } = bytes.base as { pointer: bigint; elementOffset: number };
        expect(pointer).toBe(array.base?.pointer);
        expect(pointer + BigInt(elementOffset * bytes.itemsize)).toBe(bytes.pointer);
      }),
      random(),
    );
    const shorts = make({ shape: [4], dtype: 'int16', base: { pointer: 4090n, elementOffset: 3 } });
    expect(view(shorts, 'int32').base).toBeNull();
    expect(view(shorts, 'uint8').base).toEqual({ pointer: 4090n, elementOffset: 6 });
    expect(view(make({ base: { pointer: 4096n, elementOffset: 0 } }), '<c16').base).toEqual({
      pointer: 4096n,
      elementOffset: 0,
    });
  });

  it('takes names, typestrs, dtypes and records', () => {
    const pair = record(8, [
      ['a', '<f4'],
      ['b', '<i4'],
    ]);
    expect(dtypesEqual(view(make(), pair).dtype, pair)).toBe(true);
    expect(view(make(), pair).shape).toEqual([6, 2]);
    expect(field(view(make(), pair), 'b').byteStrides).toEqual([16, 8]);
    expect(view(view(make(), pair), 'float32')).toEqual(make());
    expect(view(make(), '>i4').dtype).toEqual(dtype('>i4'));
    expect(view(make(), dtype('<M8[ns]')).shape).toEqual([6, 2]);
    expectRefusal(() => view(make(), '|t1' as never), 'ERR_DTYPE_UNSUPPORTED', 'dtype');
    expectRefusal(() => view(make(), '<f3' as never), 'ERR_TYPESTR', 'dtype');
    expectRefusal(() => view(make(), 4 as never), 'ERR_TYPE', 'dtype');
    expectRefusal(() => view({} as never, 'int8'), 'ERR_TYPE', 'array');
  });

  it('checks only strides that matter', () => {
    expect(view(make({ byteStrides: [40, 4] }), 'int16')).toMatchObject({
      shape: [6, 8],
      byteStrides: [40, 2],
    });
    const one = make({ shape: [3, 1], byteStrides: [4, 99] });
    expect(view(one, 'int8')).toMatchObject({ shape: [3, 4], byteStrides: [4, 1] });
    expect(
      view(
        slice(make(), [
          [0, 0],
          [null, null, 2],
        ]),
        'int64',
      ).shape,
    ).toEqual([0, 1]);
    expect(view(make({ dtype: '|V0' }), 'int8').shape).toEqual([6, 0]);
  });

  it('says why a view does not exist', () => {
    const none = (array: ReturnType<typeof make>, type: DTypeText, message: RegExp) => {
      expectRefusal(() => view(array, type), 'ERR_NOT_A_VIEW', 'dtype');
      expect(refusal(() => view(array, type)).message).toMatch(message);
    };
    none(make({ shape: [] }), 'int8', /shape \[\] of 4 bytes/);
    none(make({ byteStrides: [4, 24] }), 'int8', /byte strides \[4,24\]/);
    none(make({ byteStrides: [16, 0] }), 'int64', /byte strides \[16,0\]/);
    none(slice(make(), [null, [null, null, -1]]), 'int64', /byte strides \[16,-4\]/);
    none(make(), '|V3', /of (3|32) bytes, got shape \[6,4\] of 4 bytes/);
    none(make(), '|V32', /of (3|32) bytes, got shape \[6,4\] of 4 bytes/);
    none(make({ shape: [3, 3] }), '|V8', /got shape \[3,3\] of 4 bytes/);
    none(make({ shape: [3, 3] }), '|V5', /got shape \[3,3\] of 4 bytes/);
    expect(view(make({ shape: [3, 3] }), '|V6').shape).toEqual([3, 2]);
    none(make(), '|V0', /elements of 0 bytes, got/);
    const many = make({ shape: [0, 2 ** 52] });
    expectRefusal(() => view(many, 'int8'), 'ERR_OVERFLOW', 'dtype');
    expect(view(many, 'float64').shape).toEqual([0, 2 ** 51]);
  });

  it('keeps a mask that does not mention the parts', () => {
    const mask = (...shape: number[]) => make({ shape, dtype: 'bool', pointer: 64n });
    const masked = make({ mask: mask(6, 4) });
    expect(view(masked, 'int32').mask).toBe(masked.mask);
    expectRefusal(() => view(masked, 'int16'), 'ERR_MASK', 'mask');
    expectRefusal(() => view(masked, 'int64'), 'ERR_MASK', 'mask');
    for (const shape of [[6, 1], [1], []]) {
      const array = make({ mask: mask(...shape) });
      expect(view(array, 'int64').mask).toBe(array.mask);
    }
  });

  it('checks only the last axis of the mask', () => {
    const mask = (...shape: number[]) => make({ shape, dtype: 'bool', pointer: 64n });
    const deep = (...shape: number[]) => make({ shape: [2, 6, 4], mask: mask(...shape) });
    expect(view(deep(2, 6, 1), 'int16')).toMatchObject({ shape: [2, 6, 8] });
    expectRefusal(() => view(deep(2, 1, 4), 'int16'), 'ERR_MASK', 'mask');
    expect(refusal(() => view(deep(4), 'int16')).cause).toMatchObject({ code: 'ERR_NOT_A_VIEW' });
  });

  it('does not view the bits of a mask as anything else', () => {
    const bits = { version: 3, shape: [8], typestr: '|t1', data: [64, false] };
    const { mask } = fromCudaArrayInterface({
      ...{ ...bits, typestr: '|u1' },
      mask: { __cuda_array_interface__: bits },
    });
    expectRefusal(() => view(mask as never, 'uint8'), 'ERR_MASK', 'mask');
  });
});
