import { describe, expect, it } from 'vitest';
import { readDescr } from '../../src/dtype/descr.js';
import { toDescr } from '../../src/dtype/to-descr.js';
import { dtype } from '../../src/index.js';
import { expectRefusal } from '../support/refusal.js';

const read = (descr: unknown, typestr: string) => readDescr(descr, dtype(typestr), 'descr');

describe('readDescr', () => {
  it('finds fields, padding, sub-arrays, titles and nested records', () => {
    const descr = [
      ['flag', '|b1'],
      ['', '|V3'],
      [['Position', 'at'], '>f4', [2, 3]],
      [
        'inner',
        [
          ['x', '<i2'],
          ['', '|V2'],
          ['when', '<M8[ms]'],
        ],
      ],
    ];
    const record = read(descr, '|V40');
    expect(record.fields).toMatchObject([
      { name: 'flag', title: null, offset: 0, itemsize: 1, shape: [] },
      { name: 'at', title: 'Position', offset: 4, itemsize: 24, shape: [2, 3] },
      { name: 'inner', offset: 28, itemsize: 12 },
    ]);
    expect(record.fields?.[1]?.dtype).toMatchObject({ typestr: '>f4', byteOrder: 'big' });
    expect(record.fields?.[2]?.dtype.fields).toMatchObject([
      { name: 'x', offset: 0 },
      { name: 'when', offset: 4, dtype: { typestr: '<M8[ms]' } },
    ]);
    expect(toDescr(record)).toEqual(descr);
    expect(read(toDescr(record), '|V40')).toEqual(record);
  });

  it('keeps padding at the end', () => {
    const descr = [
      ['x', '<f8'],
      ['', '|V8'],
    ];
    expect(toDescr(read(descr, '|V16'))).toEqual(descr);
  });

  it('takes the trivial form only beside the same typestr', () => {
    expect(read([['', '|f4']], '<f4')).toEqual(dtype('<f4'));
    expect(read([['', '|V4']], '|V4').fields).toBeNull();
    for (const other of ['<i4', '>f4', '<f8', '|V4']) {
      expectRefusal(() => read([['', other]], '<f4'), 'ERR_DESCR', 'descr');
    }
  });

  it.each([
    ['an empty list', [], 'ERR_DESCR', 'descr'],
    ['an empty record inside', [['a', []]], 'ERR_DESCR', 'descr[0][1]'],
    ['one entry', [['a']], 'ERR_DESCR', 'descr[0]'],
    ['four entries', [['a', '<f4', [1], 0]], 'ERR_DESCR', 'descr[0]'],
    [
      'the same name twice',
      [
        ['a', '<i2'],
        ['a', '<i2'],
      ],
      'ERR_DESCR',
      'descr',
    ],
    [
      'a title that is a name',
      [
        ['a', '<i2'],
        [['a', 'b'], '<i2'],
      ],
      'ERR_DESCR',
      'descr',
    ],
    [
      'the same name twice inside',
      [
        [
          'r',
          [
            ['a', '|i1'],
            ['a', '|i1'],
          ],
        ],
        ['', '|V2'],
      ],
      'ERR_DESCR',
      'descr[0][1]',
    ],
    ['another size', [['a', '<f8']], 'ERR_DESCR', 'descr'],
    ['a triple name', [[['a', 'b', 'c'], '<f4']], 'ERR_DESCR', 'descr[0][0]'],
    ['a number for a name', [[1, '<f4']], 'ERR_TYPE', 'descr[0][0]'],
    ['a number for a title', [[[1, 'a'], '<f4']], 'ERR_TYPE', 'descr[0][0]'],
    ['a field that is no list', ['a'], 'ERR_TYPE', 'descr[0]'],
    ['a number for a type', [['a', 4]], 'ERR_TYPE', 'descr[0][1]'],
    ['a malformed type', [['a', 'f4']], 'ERR_TYPESTR', 'descr[0][1]'],
    ['an object', [['a', '|O']], 'ERR_DTYPE_UNSUPPORTED', 'descr[0][1]'],
    ['a bit field', [['a', '|t1']], 'ERR_DTYPE_UNSUPPORTED', 'descr[0][1]'],
    ['a negative sub-array', [['a', '<f4', [-1]]], 'ERR_NEGATIVE_DIMENSION', 'descr[0][2][0]'],
    ['a sub-array that is no list', [['a', '<f4', 1]], 'ERR_TYPE', 'descr[0][2]'],
    ['a huge sub-array', [['a', '<f4', [2 ** 40, 2 ** 40]]], 'ERR_OVERFLOW', 'descr[0][2]'],
    [
      'a sub-array of 65 axes',
      [['a', '<f4', new Array(65).fill(1)]],
      'ERR_RANK_MISMATCH',
      'descr[0][2]',
    ],
  ] as const)('refuses %s', (_name, descr, code, path) => {
    expectRefusal(() => read(descr, '|V4'), code, path);
  });

  it('counts no bytes of a sub-array without elements, wherever the 0 is', () => {
    const huge = new Array<number>(22).fill(2 ** 52);
    for (const shape of [
      [0, ...huge],
      [...huge, 0],
    ]) {
      expect(
        read(
          [
            ['a', '<f4', shape],
            ['b', '<f4'],
          ],
          '|V4',
        ).fields?.[0],
      ).toMatchObject({ itemsize: 0 });
    }
  });

  it('takes 32 nested records, and no more', () => {
    const nested = (depth: number): unknown => (depth === 0 ? '|i1' : [['a', nested(depth - 1)]]);
    expect(read(nested(33), '|V1').fields?.[0]?.name).toBe('a');
    expectRefusal(() => read(nested(34), '|V1'), 'ERR_DESCR');
  });

  it('takes 65,536 fields in all, and no more', () => {
    const fields = (count: number) => Array.from({ length: count }, (_, i) => [`f${i}`, '|i1']);
    expect(read(fields(2 ** 16), `|V${2 ** 16}`).fields).toHaveLength(2 ** 16);
    expectRefusal(() => read(fields(2 ** 16 + 1), `|V${2 ** 16 + 1}`), 'ERR_DESCR', 'descr');
    const inner = [['r', fields(2 ** 16)]];
    expectRefusal(() => read(inner, `|V${2 ** 16}`), 'ERR_DESCR', 'descr[0][1]');
  });

  it('terminates on records that contain themselves', () => {
    const loop: unknown[] = [];
    loop.push(['again', loop]);
    expectRefusal(() => read(loop, '|V4'), 'ERR_DESCR');
  });
});
