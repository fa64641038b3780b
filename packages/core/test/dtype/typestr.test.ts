import { describe, expect, it } from 'vitest';
import { parseTypestr } from '../../src/dtype/typestr.js';
import { expectRefusal } from '../support/refusal.js';

const PLAIN = [
  ['|b1', 'b', 1, 'none', '|b1'],
  ['<b1', 'b', 1, 'none', '|b1'],
  ['>u1', 'u', 1, 'none', '|u1'],
  ['<i2', 'i', 2, 'little', '<i2'],
  ['|i4', 'i', 4, 'little', '<i4'],
  ['>u8', 'u', 8, 'big', '>u8'],
  ['<f16', 'f', 16, 'little', '<f16'],
  ['<c32', 'c', 32, 'little', '<c32'],
  ['<M8', 'M', 8, 'little', '<M8'],
  ['<M8[generic]', 'M', 8, 'little', '<M8'],
  ['<M8[1ns]', 'M', 8, 'little', '<M8[ns]'],
  ['|m8[25us]', 'm', 8, 'little', '<m8[25us]'],
  ['>S5', 'S', 5, 'none', '|S5'],
  ['<V2', 'V', 2, 'none', '|V2'],
  ['|S0', 'S', 0, 'none', '|S0'],
  ['<U4', 'U', 16, 'little', '<U4'],
  ['>U1', 'U', 4, 'big', '>U1'],
] as const;

describe('parseTypestr', () => {
  it.each(PLAIN)('reads %s', (text, kind, itemsize, byteOrder, typestr) => {
    const dtype = parseTypestr(text, 'typestr');
    expect(dtype).toMatchObject({ kind, itemsize, byteOrder, typestr, fields: null });
    expect(parseTypestr(typestr, 'typestr')).toEqual(dtype);
    expect(Object.isFrozen(dtype)).toBe(true);
  });

  it.each([
    ...['', '<', '<f', 'f4', '|i', 'uint8', '<f3', '<f0', '<f04', '<f+4', '<f4 ', '<f4\n', '<q8'],
    ...['<b2', '<i16', '<c4', '<m4', '<M8[', '<M8[]', '<M8[xs]', '<M8[0s]', '<M8[9999999999s]'],
    ...[
      '<M8[2147483648s]',
      '|O8x',
      'x|O8',
      '<f4[s]',
      '=f4',
      '<V99999999999999999',
      '<U9007199254740991',
      '|t',
      'O',
      '<f\u0664',
    ],
  ])('refuses %j', (text) => {
    expectRefusal(() => parseTypestr(text, 'here'), 'ERR_TYPESTR', 'here');
  });

  it.each(['|O', '|O8', '<O', '|t1', '<t8'])('does not describe %s', (text) => {
    expectRefusal(() => parseTypestr(text, 'typestr'), 'ERR_DTYPE_UNSUPPORTED', 'typestr');
  });

  it.each([undefined, null, 4, 4n, ['<f4'], new String('<f4')])(
    'requires a string, not %s',
    (value) => {
      expectRefusal(() => parseTypestr(value, 'typestr'), 'ERR_TYPE', 'typestr');
    },
  );

  it('takes = for SUAI and |t1 for masks', () => {
    expect(parseTypestr('=f4', 'typestr', { equalsSign: true }).typestr).toBe('<f4');
    expect(parseTypestr('<t1', 'typestr', { isMask: true })).toMatchObject({
      kind: 't',
      typestr: '|t1',
    });
    const wide = () => parseTypestr('|t8', 'typestr', { isMask: true });
    expectRefusal(wide, 'ERR_DTYPE_UNSUPPORTED', 'typestr');
  });

  it('does not accept elsewhere what SUAI and masks may say', () => {
    parseTypestr('=i4', 'typestr', { equalsSign: true });
    expectRefusal(() => parseTypestr('=i4', 'typestr'), 'ERR_TYPESTR', 'typestr');
    parseTypestr('|t1', 'typestr', { isMask: true });
    expectRefusal(() => parseTypestr('|t1', 'typestr'), 'ERR_DTYPE_UNSUPPORTED', 'typestr');
  });

  it('returns the same dtype to all readers, and caches no more than a program uses', () => {
    const common = parseTypestr('<f4', 'typestr');
    for (let size = 1; size <= 300; size++) parseTypestr(`|S${size}`, 'typestr');
    expect(parseTypestr('<f4', 'typestr')).toBe(common);
    expect(parseTypestr('|S1', 'typestr')).toBe(parseTypestr('|S1', 'typestr'));
    expect(parseTypestr('|S300', 'typestr')).not.toBe(parseTypestr('|S300', 'typestr'));
  });
});
