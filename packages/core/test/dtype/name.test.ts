import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DType, type DTypeText, dtype, dtypesEqual, makeDescriptor } from '../../src/index.js';
import { refusal } from '../support/refusal.js';

/** What `np.dtype(typestr).name` is, and null for what `np.dtype` does not read again. */
const NAMES: Readonly<Record<string, string | null>> = {
  '|b1': 'bool',
  '|i1': 'int8',
  '<i2': 'int16',
  '>i4': 'int32',
  '<u8': 'uint64',
  '<f2': 'float16',
  '>f4': 'float32',
  '<f8': 'float64',
  '<f16': 'float128',
  '>c8': 'complex64',
  '<c16': 'complex128',
  '<c32': 'complex256',
  '<M8[ns]': 'datetime64[ns]',
  '>M8': 'datetime64',
  '<m8[25s]': 'timedelta64[25s]',
  '|S5': null,
  '<U3': null,
  '|V4': null,
};

const RECORD = [
  ['x', 'f4'],
  [['Identity', 'id'], '>i2', [3]],
  ['', 'V2'],
  ['inner', [['big', '>u2']]],
] as const;

describe('the name of a dtype', () => {
  it.each(Object.entries(NAMES))('of %s is %s', (typestr, name) => {
    expect(dtype(typestr).name ?? null).toBe(name);
    expect('name' in dtype(typestr)).toBe(name !== null);
  });

  it('is that of the type that opaque bytes hold, and none of a record', () => {
    expect(dtype('bfloat16')).toMatchObject({ name: 'bfloat16', typestr: '|V2' });
    expect(dtype(RECORD).name).toBeUndefined();
    expect(dtype(RECORD).fields?.map((one) => one.dtype.name)).toEqual([
      'float32',
      'int16',
      undefined,
    ]);
  });

  it('makes the dtype again, in native byte order', () => {
    for (const [typestr, name] of Object.entries(NAMES)) {
      if (name !== null) expect(dtype(name)).toEqual(dtype(typestr.replace('>', '<')));
    }
    for (const wrong of [
      'datetime64[x]',
      'timedelta64[',
      'float256',
      'bytes40',
      'str96',
      'void32',
    ]) {
      expect(refusal(() => dtype(wrong)).code, wrong).toBe('ERR_TYPESTR');
    }
  });
});

describe('a dtype as text', () => {
  it('is its name, or its typestr if it is big-endian or has no name', () => {
    expect(`${dtype('<f4')}`).toBe('float32');
    expect(String(dtype('>f4'))).toBe('>f4');
    expect(String(dtype('bfloat16'))).toBe('bfloat16');
    expect(String(dtype('U3'))).toBe('<U3');
    expect(String(dtype(RECORD))).toBe('|V14');
  });

  it('and as JSON make it again', () => {
    const texts = [...Object.keys(NAMES), 'bfloat16', 'float8_e5m2', '|S0'];
    fc.assert(
      fc.property(fc.constantFrom(...texts), (text) => {
        const type = dtype(text);
        expect(dtypesEqual(dtype(String(type)), type)).toBe(true);
        const json = JSON.parse(JSON.stringify({ type })).type;
        expect(dtype(json)).toEqual(type);
      }),
      random(100),
    );
    const record = dtype(RECORD);
    expect(dtype(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });

  it('keeps its parts in clones, without its methods', () => {
    const clone = structuredClone(dtype('float32'));
    expect(clone).toEqual({ ...dtype('float32') });
    expect(dtype(clone)).toEqual(dtype('float32'));
    expect(Object.keys(dtype('|V4'))).toEqual([
      'kind',
      'itemsize',
      'byteOrder',
      'typestr',
      'fields',
    ]);
  });
});

describe('the type of dtypes as text', () => {
  const take = (_text: DTypeText) => {};
  const make = (like: Parameters<typeof makeDescriptor>[0]['dtype']) =>
    makeDescriptor({ pointer: 64, shape: [], dtype: like }).dtype;

  it('has all names and typestrs', () => {
    take('float32');
    take('bfloat16');
    take('complex256');
    take('datetime64[ns]');
    take('timedelta64');
    take('<f4');
    take('f4');
    take('|b1');
    take('>M8[25s]');
    take('|S12');
    take('V0');
    expect(
      make([
        ['x', 'f4'],
        [['Title', 'y'], '<U3', [2]],
      ]).itemsize,
    ).toBe(28);
  });

  it('has no misspelt ones, while dtype() takes any string', () => {
    const text: string = 'float32';
    // @ts-expect-error misspelt
    expect(() => make('flaot32')).toThrow('got "flaot32"');
    // @ts-expect-error no such size
    expect(() => make('<f3')).toThrow('got "<f3"');
    // @ts-expect-error misspelt in a record
    expect(() => make([['x', 'flaot32']])).toThrow('got "flaot32"');
    // @ts-expect-error might be anything
    expect(make(text)).toEqual(make('float32'));
    expect(make(dtype(text))).toEqual(make('float32'));
    const kept: DType = dtype('f4');
    // @ts-expect-error no such name
    expect(kept.name === 'flaot32').toBe(false);
  });
});
