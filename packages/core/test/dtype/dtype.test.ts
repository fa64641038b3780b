import { describe, expect, it } from 'vitest';
import { readDescr } from '../../src/dtype/descr.js';
import { type DType, type DTypeName, dtype, dtypesEqual } from '../../src/index.js';
import { expectRefusal } from '../refusal.js';

const NAMES: Record<DTypeName, string> = {
  bool: '|b1',
  int8: '|i1',
  int16: '<i2',
  int32: '<i4',
  int64: '<i8',
  uint8: '|u1',
  uint16: '<u2',
  uint32: '<u4',
  uint64: '<u8',
  float16: '<f2',
  float32: '<f4',
  float64: '<f8',
  complex64: '<c8',
  complex128: '<c16',
};

const makeRecord = () =>
  readDescr(
    [
      ['x', '<f4'],
      ['', '|V4'],
      ['y', '<i8', [2]],
    ],
    dtype('|V24'),
    'descr',
  );

describe('dtype', () => {
  it.each(Object.entries(NAMES))('%s is %s', (name, typestr) => {
    expect(dtype(name).typestr).toBe(typestr);
    expect(dtype(typestr)).toEqual(dtype(name));
  });

  it('takes a dtype, and checks it again', () => {
    const record = makeRecord();
    expect(dtype(record)).toEqual(record);
    expect(dtype(dtype('>f8'))).toEqual(dtype('>f8'));
    const field = { ...(record.fields?.[0] as NonNullable<typeof record.fields>[0]) };
    const overlapping = { ...record, fields: [field, { ...field, name: 'z', offset: 1 }] };
    expectRefusal(() => dtype(overlapping as DType), 'ERR_DESCR', 'dtype');
    const long = { ...record, fields: [{ ...field, offset: 23 }] };
    expectRefusal(() => dtype(long as DType), 'ERR_DESCR', 'dtype');
    expectRefusal(() => dtype({ ...record, fields: [null] } as never), 'ERR_TYPE', 'dtype');
  });

  it('takes a name only for bytes of its size', () => {
    expect(dtype({ ...dtype('|V2'), name: 'bfloat16' })).toEqual(dtype('bfloat16'));
    expect(dtype({ ...dtype('<f4'), name: 'bfloat16' })).toEqual(dtype('<f4'));
  });

  it('refuses what is none', () => {
    expectRefusal(() => dtype('float'), 'ERR_TYPESTR', 'dtype');
    expectRefusal(() => dtype('toString'), 'ERR_TYPESTR', 'dtype');
    expectRefusal(() => dtype('|t1'), 'ERR_DTYPE_UNSUPPORTED', 'dtype');
    for (const value of [undefined, null, 4, {}]) {
      expectRefusal(() => dtype(value as never), 'ERR_TYPE', 'dtype');
    }
  });

  it('cannot be changed', () => {
    const record = makeRecord();
    expect(() => Object.assign(record, { itemsize: 1 })).toThrow(TypeError);
    expect(() => Object.assign(record.fields?.[0] as object, { offset: 9 })).toThrow(TypeError);
    const shape = record.fields?.[1]?.shape as number[];
    expect(() => shape.push(1)).toThrow(TypeError);
  });
});

describe('sameDType', () => {
  it('compares kind, size, order, unit and fields', () => {
    const record = makeRecord();
    expect(dtypesEqual(dtype('float32'), dtype('|f4'))).toBe(true);
    expect(dtypesEqual(dtype('<f4'), dtype('>f4'))).toBe(false);
    expect(dtypesEqual(dtype('<M8[ns]'), dtype('<M8[us]'))).toBe(false);
    expect(dtypesEqual(record, dtype(record))).toBe(true);
    expect(dtypesEqual(record, dtype('|V24'))).toBe(false);
    const other = readDescr(
      [
        ['x', '<f4'],
        ['', '|V4'],
        ['y', '<i8', [1, 2]],
      ],
      dtype('|V24'),
      'descr',
    );
    expect(dtypesEqual(record, other)).toBe(false);
  });

  it.each([
    [
      'name',
      [
        ['x', '<f4'],
        ['', '|V4'],
        ['z', '<i8'],
      ],
    ],
    [
      'place',
      [
        ['x', '<f4'],
        ['y', '<i8'],
        ['', '|V4'],
      ],
    ],
    [
      'dtype',
      [
        ['x', '<f4'],
        ['', '|V4'],
        ['y', '<u8'],
      ],
    ],
    [
      'fields',
      [
        ['x', '<f4'],
        ['', '|V4'],
        ['y', [['a', '<i8']]],
      ],
    ],
  ])('sees a field of another %s', (_what, descr) => {
    const first = readDescr(
      [
        ['x', '<f4'],
        ['', '|V4'],
        ['y', '<i8'],
      ],
      dtype('|V16'),
      'descr',
    );
    expect(dtypesEqual(first, readDescr(descr, dtype('|V16'), 'descr'))).toBe(false);
  });
});
