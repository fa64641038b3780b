import { describe, expect, test } from 'vitest';
import type { NumberType } from '../../src/numbers/conversion.js';
import { convertNumbers } from '../../src/numbers/convert-numbers.js';
import { plainArray } from '../../src/numbers/plain-array.js';
import { roundToEven, wholeOf } from '../../src/numbers/rounding.js';
import { typedArray } from '../../src/numbers/typed-array.js';

// The contract compares all types with NumPy's results.

const VALUES = [0.5, 1.5, 2.5, -0.5, -1.5, 0.49999999999999994, -0.49999999999999994, 2 ** 53 - 1];
const NEAREST = [0, 2, 2, -0, -2, 0, -0, 2 ** 53 - 1];

describe('rounding', () => {
  test('is to the nearest, and to the even one of two that are equally near', () => {
    expect(VALUES.map((value) => roundToEven(value) + 0)).toEqual(NEAREST.map((one) => one + 0));
    for (const value of [Infinity, -Infinity, NaN, 2 ** 60, -(2 ** 60)]) {
      expect(roundToEven(value)).toBe(value);
    }
    expect(wholeOf(1.5, undefined)).toBe(1);
    expect(wholeOf(-1.5, 'truncate')).toBe(-1);
    expect(wholeOf(-1.5, 'nearest')).toBe(-2);
  });

  test.each(['i1', 'u8', 'i8'] satisfies NumberType[])('of floats to %s', (to) => {
    const source = Float64Array.of(...VALUES);
    const size = Number(to.slice(1));
    const target = new Uint8Array(VALUES.length * size);
    const swap = { swapsSource: false, swapsDestination: false };
    const from = new Uint8Array(source.buffer);
    convertNumbers(target, from, { from: 'f8', to, ...swap, rounds: true });
    const isSigned = to.startsWith('i');
    const expected = NEAREST.map((value) =>
      isSigned ? Math.min(value, size === 1 ? 127 : value) : Math.max(value, 0),
    );
    const Elements = { i1: Int8Array, u8: BigUint64Array, i8: BigInt64Array }[to];
    expect([...new Elements(target.buffer)].map(Number)).toEqual(expected.map((one) => one + 0));
  });

  test('of numbers in lists, if any number is accepted', () => {
    const { buffer, dtype } = plainArray([0.5, 1.5, 255.5, -1, NaN, 3n], 'uint8', {
      casting: 'unsafe',
      rounding: 'nearest',
    });
    expect(typedArray(buffer as ArrayBuffer, dtype)).toEqual(Uint8Array.of(0, 2, 255, 0, 0, 3));
    expect(() => plainArray([0.5], 'uint8', { rounding: 'nearest' })).toThrow('an integer');
  });
});
