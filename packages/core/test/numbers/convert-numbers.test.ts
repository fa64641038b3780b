import { describe, expect, it } from 'vitest';
import type { NumberType } from '../../src/numbers/conversion.js';
import { convertNumbers } from '../../src/numbers/convert-numbers.js';

// The contract compares every pair of types with NumPy's results, through `copyInSteps`.

function converted<T extends ArrayBufferView>(
  to: T,
  type: NumberType,
  from: ArrayBufferView,
  of: NumberType,
): T {
  const bytes = (view: ArrayBufferView) =>
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const kept = { swapsSource: false, swapsDestination: false, rounds: false };
  convertNumbers(bytes(to), bytes(from), { from: of, to: type, ...kept });
  return to;
}

describe('convertNumbers', () => {
  it('keeps every half and every bfloat16 that is a number', () => {
    const all = Uint16Array.from({ length: 2 ** 16 }, (_, bits) => bits);
    for (const [type, exponent, quiet] of [
      ['f2', 0x7c00, 0x7e00],
      ['bf2', 0x7f80, 0x7fc0],
    ] as const) {
      const floats = converted(new Float64Array(2 ** 16), 'f8', all, type);
      const again = converted(new Uint16Array(2 ** 16), type, floats, 'f8');
      const expected = all.map((bits) => ((bits & 0x7fff) > exponent ? quiet : bits));
      expect(again).toEqual(expected);
    }
  });

  it('rounds doubles to halves once, to even', () => {
    const values = Float64Array.of(
      1 + 2 ** -11,
      1 + 3 * 2 ** -11,
      1 + 2 ** -11 + 2 ** -40,
      65519.99,
      65520,
      2 ** -25,
      3 * 2 ** -26,
      -0,
    );
    const halves = converted(new Uint16Array(values.length), 'f2', values, 'f8');
    expect([...halves]).toEqual([0x3c00, 0x3c02, 0x3c01, 0x7bff, 0x7c00, 0, 1, 0x8000]);
  });

  it('rounds integers of 64 bits to float32 once', () => {
    // A double rounds the first to the midpoint of two floats, and the second down to it.
    const midpoint = 2n ** 60n + 2n ** 36n;
    const integers = BigInt64Array.of(midpoint + 1n, midpoint - 1n, -midpoint - 1n, 2n ** 63n - 1n);
    const floats = converted(new Float32Array(4), 'f4', integers, 'i8');
    expect([...floats]).toEqual([2 ** 60 + 2 ** 37, 2 ** 60, -(2 ** 60) - 2 ** 37, 2 ** 63]);
  });

  it('clamps floats to integers, and wraps integers', () => {
    const floats = Float64Array.of(300, -1, Number.NaN, Number.POSITIVE_INFINITY, 2.9, -2.9);
    expect([...converted(new Uint8Array(6), 'u1', floats, 'f8')]).toEqual([255, 0, 0, 255, 2, 0]);
    expect([...converted(new Int8Array(6), 'i1', floats, 'f8')]).toEqual([127, -1, 0, 127, 2, -2]);
    const integers = BigInt64Array.of(300n, -1n);
    expect([...converted(new Uint8Array(2), 'u1', integers, 'i8')]).toEqual([44, 255]);
  });

  it('drops and adds imaginary parts; a complex number is true if either part is not 0', () => {
    const pairs = Float32Array.of(1, 2, 0, 3, 0, 0);
    expect([...converted(new Float64Array(3), 'f8', pairs, 'c8')]).toEqual([1, 0, 0]);
    expect([...converted(new Float64Array(6), 'c16', pairs, 'c8')]).toEqual([1, 2, 0, 3, 0, 0]);
    expect([...converted(new Uint8Array(3), 'b1', pairs, 'c8')]).toEqual([1, 1, 0]);
    expect([...converted(new Float32Array(4), 'c8', Uint8Array.of(5, 0), 'u1')]).toEqual([
      5, 0, 0, 0,
    ]);
  });
});
