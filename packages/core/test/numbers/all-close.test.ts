import { describe, expect, it } from 'vitest';
import { relativeLayout } from '../../src/descriptor/relative-layout.js';
import { type DTypeLike, dtype } from '../../src/index.js';
import { allClose, USUAL_TOLERANCE } from '../../src/numbers/all-close.js';
import { expectRefusal } from '../support/refusal.js';

function arrayOf(like: DTypeLike, bytes: ArrayBufferView, shape?: readonly number[]) {
  const type = dtype(like);
  const count = bytes.byteLength / Math.max(1, type.itemsize);
  return relativeLayout(shape ?? [count], type, null, bytes.buffer);
}

const doubles = (...values: number[]) => arrayOf('float64', Float64Array.from(values));
const floats = (...values: number[]) => arrayOf('float32', Float32Array.from(values));

describe('allClose', () => {
  const SHAPE = [2, 3, 4] as const;
  const ORDERS = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
    [0, 2, 1],
    [1, 0, 2],
  ];

  /** Numbers 0 to 23 of that shape, whose axes lie in memory in this order, and where each is. */
  function laidOut(order: readonly number[]) {
    const steps = [0, 0, 0];
    let step = 1;
    for (const axis of [...order].reverse()) {
      steps[axis] = step;
      step *= SHAPE[axis] as number;
    }
    const [a, b, c] = steps as [number, number, number];
    const places = Array.from({ length: 24 }, (_, i) => {
      const [first, second, third] = [Math.floor(i / 12), Math.floor(i / 4) % 3, i % 4];
      return first * a + second * b + third * c;
    });
    const values = new Float64Array(24);
    for (const [number, place] of places.entries()) values[place] = number;
    const strides = steps.map((one) => 8 * one);
    return {
      array: relativeLayout(SHAPE, dtype('float64'), strides, values.buffer),
      values,
      places,
    };
  }

  it.each(ORDERS.map((order) => [order] as const))(
    'compares each element with its own, of axes %j',
    (order) => {
      const one = laidOut(order);
      for (const beside of ORDERS) {
        const other = laidOut(beside);
        expect(allClose(one.array, other.array, USUAL_TOLERANCE)).toBe(true);
        for (const [number, place] of other.places.entries()) {
          other.values[place] = 99;
          expect(allClose(one.array, other.array, USUAL_TOLERANCE), `${number}`).toBe(false);
          other.values[place] = number;
        }
      }
    },
  );

  it('computes in the format of the numbers', () => {
    // 1 + 2 ** -23 and 1 differ by more than 1e-7 as doubles, by no more than float32's 1e-7.
    const [one, next] = [floats(1), floats(1 + 2 ** -23)];
    const tolerance = { ...USUAL_TOLERANCE, rtol: 0, atol: 2 ** -23 };
    expect(allClose(one, next, tolerance)).toBe(true);
    expect(allClose(one, next, { ...tolerance, atol: 2 ** -24 })).toBe(false);
    const half = (...bits: number[]) => arrayOf('float16', Uint16Array.from(bits));
    const everything = { ...USUAL_TOLERANCE, atol: 65504 };
    expect(allClose(half(0x7bff), half(0xfbff), everything)).toBe(false); // overflows, as in NumPy
    expect(allClose(doubles(65504), doubles(-65504), { ...everything, atol: 2 * 65504 })).toBe(
      true,
    );
  });

  it('is not symmetric: the second number decides', () => {
    const tolerance = { ...USUAL_TOLERANCE, rtol: 0.1, atol: 0 };
    expect(allClose(doubles(90), doubles(100), tolerance)).toBe(true);
    expect(allClose(doubles(100), doubles(90), tolerance)).toBe(false);
  });

  it('of integers past 2^53, bools, bytes in the other order, and complex numbers', () => {
    const words = arrayOf('int64', BigInt64Array.of(2n ** 53n, -(2n ** 63n)));
    expect(allClose(words, doubles(2 ** 53, -(2 ** 63)), USUAL_TOLERANCE)).toBe(true);
    expect(allClose(arrayOf('bool', Uint8Array.of(1, 0)), doubles(1, 0), USUAL_TOLERANCE)).toBe(
      true,
    );
    const swapped = arrayOf('>i2', Uint8Array.of(0, 7));
    expect(allClose(swapped, doubles(7), USUAL_TOLERANCE)).toBe(true);
    const pair = (...parts: number[]) => arrayOf('complex128', Float64Array.from(parts));
    expect(allClose(pair(3, 4), pair(3, 4.00001), USUAL_TOLERANCE)).toBe(true);
    expect(allClose(pair(3, 4), pair(3, 4.001), USUAL_TOLERANCE)).toBe(false);
    expect(allClose(pair(3, 0), doubles(3), USUAL_TOLERANCE)).toBe(true);
    expect(
      allClose(pair(3, Number.NaN), pair(Number.NaN, 1), { ...USUAL_TOLERANCE, equalNaN: true }),
    ).toBe(true);
    expect(allClose(pair(1, 1), pair(Number.POSITIVE_INFINITY, 1), USUAL_TOLERANCE)).toBe(false);
  });

  it('refuses what is not a number', () => {
    for (const like of ['|S1', '|V1', [['x', '|u1']]] as const) {
      const other = arrayOf(like, Uint8Array.of(1));
      expectRefusal(
        () => allClose(other, doubles(1), USUAL_TOLERANCE),
        'ERR_DTYPE_UNSUPPORTED',
        'a',
      );
      expectRefusal(
        () => allClose(doubles(1), other, USUAL_TOLERANCE),
        'ERR_DTYPE_UNSUPPORTED',
        'b',
      );
    }
    expectRefusal(
      () => allClose(doubles(1, 2), doubles(1, 2, 3), USUAL_TOLERANCE),
      'ERR_SHAPE_MISMATCH',
      'b.shape[0]',
    );
  });
});
