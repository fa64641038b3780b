import { describe, expect, it } from 'vitest';
import { readDescr } from '../../src/dtype/descr.js';
import {
  type DType,
  type DTypeName,
  dtype,
  dtypesEqual,
  fromCudaArrayInterface,
} from '../../src/index.js';
import { expectRefusal, refusal } from '../support/refusal.js';

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

  it('refuses what is not a dtype', () => {
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

describe('dtypesEqual', () => {
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

  it('takes dtypes as people write them', () => {
    expect(dtypesEqual('f4', 'float32')).toBe(true);
    expect(dtypesEqual([['x', 'f4']], [['x', 'float32']])).toBe(true);
    expect(dtypesEqual('bfloat16', '|V2')).toBe(true);
    expect(dtypesEqual('f4', 'i4')).toBe(false);
  });

  it.each([null, undefined, 4, {}])('refuses %j, which is not a dtype', (value) => {
    expectRefusal(() => dtypesEqual('f4', value as never), 'ERR_TYPE');
    expectRefusal(() => dtypesEqual(value as never, value as never), 'ERR_TYPE');
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
  ])('notices a field with another %s', (_what, descr) => {
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

describe('a dtype as people type it', () => {
  it.each([
    ['f4', '<f4'],
    ['u1', '|u1'],
    ['c16', '<c16'],
    ['M8[ns]', '<M8[ns]'],
    ['U3', '<U3'],
    ['V3', '|V3'],
  ])('%s is %s', (text, typestr) => {
    expect(dtype(text)).toEqual(dtype(typestr));
  });

  it('may be the fields of a record, whose types are spelled as freely', () => {
    const fields = [
      ['x', 'f4'],
      [['Identity', 'id'], 'int32', [2]],
      ['inner', [['big', '>u2']]],
    ] as const;
    const descr = [
      ['x', '<f4'],
      [['Identity', 'id'], '<i4', [2]],
      ['inner', [['big', '>u2']]],
    ];
    expect(dtype(fields)).toEqual(readDescr(descr, dtype('|V14'), 'descr'));
    expectRefusal(() => dtype([['x', 'f3']]), 'ERR_TYPESTR', 'dtype[0][1]');
    expectRefusal(() => dtype([]), 'ERR_DESCR', 'dtype');
    expectRefusal(() => dtype([['x', 'bfloat16']]), 'ERR_DTYPE_UNSUPPORTED', 'dtype[0][1]');
    expectRefusal(() => dtype([['x', 'f4', [-1]]]), 'ERR_NEGATIVE_DIMENSION', 'dtype[0][2][0]');
  });

  it.each(['flaot32', 'f3', 'float', 'M8[x]', '4f'])(
    'misspelt as %s, is refused with the right names',
    (text) => {
      const error = refusal(() => dtype(text));
      expect(error).toMatchObject({ code: 'ERR_TYPESTR', path: 'dtype' });
      expect(error.reason).toBe(
        'expected a name ("float32"), or a kind and a size that exists ("f4", ">f4", "M8[ns]"), ' +
          `got "${text}"`,
      );
    },
  );

  it('is not accepted in an interface dict, also if it was read before', () => {
    expect(dtype('f8').typestr).toBe('<f8');
    const dict = { version: 3, shape: [1], typestr: 'f8', data: [64, false] };
    expectRefusal(() => fromCudaArrayInterface(dict), 'ERR_TYPESTR', 'typestr');
    const descr = [['x', 'f8']];
    const record = { ...dict, typestr: '|V8', descr };
    expectRefusal(() => fromCudaArrayInterface(record), 'ERR_TYPESTR', 'descr[0][1]');
  });
});
