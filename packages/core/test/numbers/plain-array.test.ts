import { describe, expect, test } from 'vitest';
import { type DTypeLike, dtype, type ErrorCode } from '../../src/index.js';
import { isPlainData, plainArray, scalarArray } from '../../src/numbers/plain-array.js';
import { typedArray } from '../../src/numbers/typed-array.js';

const numbers = (source: Parameters<typeof plainArray>[0], like?: DTypeLike) => {
  const array = plainArray(source, like);
  return { shape: array.shape, values: [...typedArray(array.buffer as ArrayBuffer, array.dtype)] };
};

const refusal = (code: ErrorCode, path: string) => expect.objectContaining({ code, path });

describe('plainArray', () => {
  test('uses the dtype that the first number requires', () => {
    expect(plainArray([1, 2]).dtype.typestr).toBe('<f8');
    expect(plainArray([1n, 2n]).dtype.typestr).toBe('<i8');
    expect(plainArray([true]).dtype.typestr).toBe('|b1');
    expect(plainArray([]).dtype.typestr).toBe('<f8');
  });

  test('keeps shape and values', () => {
    const nested = [
      [1, 2, 3],
      [4, 5, 6],
    ];
    expect(numbers(nested, 'int16')).toEqual({ shape: [2, 3], values: [1, 2, 3, 4, 5, 6] });
    expect(numbers(7, 'float32')).toEqual({ shape: [], values: [7] });
    expect(numbers([[], []])).toEqual({ shape: [2, 0], values: [] });
    expect(numbers([-1n, 2n ** 63n - 1n], 'int64').values).toEqual([-1n, 2n ** 63n - 1n]);
    expect(numbers([2n ** 64n - 1n], 'uint64').values).toEqual([2n ** 64n - 1n]);
    expect(numbers([1.5], 'complex64').values).toEqual([1.5, 0]);
  });

  test('refuses what has no shape or does not fit', () => {
    expect(() => plainArray([[1, 2], [3]])).toThrow(refusal('ERR_SHAPE_MISMATCH', 'source[1]'));
    expect(() => plainArray([1, [2]])).toThrow(refusal('ERR_SHAPE_MISMATCH', 'source[1]'));
    expect(() => plainArray([1, 'x' as never])).toThrow(refusal('ERR_TYPE', 'source[1]'));
    expect(() => plainArray([256], 'uint8')).toThrow(refusal('ERR_OVERFLOW', 'value'));
    expect(() => plainArray([-129], 'int8')).toThrow(refusal('ERR_OVERFLOW', 'value'));
    expect(() => plainArray([1.5], 'int32')).toThrow(refusal('ERR_TYPE', 'value'));
    expect(() => plainArray([1], '|S4')).toThrow(refusal('ERR_DTYPE_UNSUPPORTED', 'dtype'));
  });

  test('tells plain data from arrays', () => {
    for (const plain of [1, 1n, true, [], [[1]]]) expect(isPlainData(plain)).toBe(true);
    for (const other of [new Float32Array(1), new ArrayBuffer(1), plainArray(1)]) {
      expect(isPlainData(other)).toBe(false);
    }
  });

  test('scalarArray takes a single value, not a list', () => {
    expect(scalarArray(3, dtype('>i2')).shape).toEqual([]);
    expect(() => scalarArray([1] as never, dtype('int8'))).toThrow(refusal('ERR_TYPE', 'value'));
  });
});
