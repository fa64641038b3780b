import { describe, expect, it } from 'vitest';
import {
  type FloatFormat,
  float16,
  float32,
  float64,
  NAMED_FORMATS,
} from '../../src/numbers/float-format.js';
import { exponential, fixed, shortest } from '../../src/text/digits.js';

/** A fraction of integers, to compute without rounding. */
interface Exact {
  readonly top: bigint;
  readonly bottom: bigint;
}

function exact(value: number): Exact {
  let [top, bottom] = [value, 1n];
  while (!Number.isInteger(top)) [top, bottom] = [top * 2, bottom * 2n];
  return { top: BigInt(top), bottom };
}

/**
 * Steele and White's digits with the bounds of the neighbours, by integers; the slow reference. The
 * bounds themselves are read as the number if its last bit is 0.
 */
function reference(value: number, below: number, above: number, isEven: boolean): string {
  const [v, low, high] = [exact(value), exact(below), exact(above)];
  const scale = 2n * v.bottom * low.bottom * high.bottom;
  const times = ({ top, bottom }: Exact) => (top * scale) / bottom;
  const [at, down, up] = [times(v), (times(v) + times(low)) / 2n, (times(v) + times(high)) / 2n];
  let digits = '';
  const whole = BigInt(Math.floor(Math.log10(value))) + 1n;
  for (let place = whole; ; place--) {
    // All integers times 10 ** -place, as far as they are integers.
    const unit = place >= 0n ? 10n ** place * scale : scale;
    const by = place >= 0n ? 1n : 10n ** -place;
    const floor = (at * by) / unit;
    const [rest, isFloor, isCeiling] = [
      at * by - floor * unit,
      isEven ? floor * unit >= down * by : floor * unit > down * by,
      isEven ? (floor + 1n) * unit <= up * by : (floor + 1n) * unit < up * by,
    ];
    digits = String(floor);
    if (!isFloor && !isCeiling) continue;
    const roundsUp =
      isFloor && isCeiling
        ? 2n * rest > unit || (2n * rest === unit && floor % 2n === 1n)
        : isCeiling;
    return `${roundsUp ? floor + 1n : digits}e${place}`;
  }
}

/** All positive numbers of a format of one or two bytes, in order. */
function all(format: FloatFormat, bytes: number): number[] {
  const view = new DataView(new ArrayBuffer(2));
  const values = Array.from({ length: 256 ** bytes }, (_, bits) => {
    if (bytes === 2) view.setUint16(0, bits, true);
    else view.setUint8(0, bits);
    return format.read(view, 0, true);
  });
  const finite = values.filter((value) => value > 0 && Number.isFinite(value));
  return [...new Set(finite)].sort((a, b) => a - b);
}

const meant = (text: string) => Number(text);
const textOf = ({ digits, exponent }: { digits: string; exponent: number }) =>
  `${digits}e${exponent - digits.length + 1}`;

describe('shortest', () => {
  it.each([
    ['float16', float16],
    ['bfloat16', NAMED_FORMATS['bfloat16'] as FloatFormat],
  ])('numbers of %s have the digits of the reference, and are read back from them', (_, format) => {
    const values = all(format, 2);
    for (let i = 1; i < values.length - 1; i += 13) {
      const [below, value, above] = values.slice(i - 1, i + 2) as [number, number, number];
      const text = textOf(shortest(value, format));
      expect(format.round(meant(text)), text).toBe(value);
      if (value < 1e-9 || value > 1e9) continue;
      // Without zero, the first number has the index 0 and the last bit 1.
      expect(meant(text)).toBe(meant(reference(value, below, above, i % 2 === 1)));
    }
  });

  it('every number of the small formats is read back', () => {
    for (const [name, format] of Object.entries(NAMED_FORMATS)) {
      if (name === 'bfloat16') continue;
      for (const value of all(format, 1)) {
        expect(format.round(value), name).toBe(value);
        expect(format.round(meant(textOf(shortest(value, format)))), name).toBe(value);
      }
    }
  });

  it.each([
    [5e-324, '5e-324'],
    [9.9e-324, '1e-323'],
    [1.5e-323, '15e-324'],
    [2 ** -44, '5684341886080802e-29'],
    [0, '0e0'],
    [123456, '123456e0'],
    [100, '1e2'],
  ])('%d as float64', (value, text) => expect(textOf(shortest(value, float64))).toBe(text));

  it('every power of two of float32', () => {
    for (let exponent = -149; exponent < 128; exponent++) {
      const value = 2 ** exponent;
      const text = textOf(shortest(value, float32));
      expect(Math.fround(Number(text))).toBe(value);
    }
    expect(textOf(shortest(2 ** -149, float32))).toBe('1e-45');
    expect(textOf(shortest(5.12890625, float32))).toBe('51289062e-7'); // a tie
  });
});

describe('digits of a given number', () => {
  it('are rounded to even where both are as near', () => {
    expect(fixed(0.5, 0)).toBe('0');
    expect(fixed(1.5, 0)).toBe('2');
    expect(fixed(2.5, 0)).toBe('2');
    expect(fixed(0.001953125, 8)).toBe('0.00195312');
    expect(fixed(0.005859375, 8)).toBe('0.00585938');
    expect(fixed(1 / 3, 4)).toBe('0.3333');
    expect(exponential(2.5, 0)).toEqual({ digits: '2', exponent: 0 });
    expect(exponential(9.5, 0)).toEqual({ digits: '1', exponent: 1 });
    expect(exponential(8.5, 0)).toEqual({ digits: '8', exponent: 0 });
    expect(exponential(1.25, 1)).toEqual({ digits: '12', exponent: 0 });
    expect(exponential(1.2500000000000002, 1)).toEqual({ digits: '13', exponent: 0 });
    expect(exponential(0, 3)).toEqual({ digits: '0000', exponent: 0 });
  });
});

describe('rounding to a format', () => {
  it('has infinity beyond the largest number', () => {
    expect(float16.round(65519)).toBe(65504);
    expect(float16.round(65520)).toBe(Number.POSITIVE_INFINITY);
    expect(float16.round(-1e9)).toBe(Number.NEGATIVE_INFINITY);
    expect(float16.round(2 ** -25)).toBe(0);
    expect(float16.round(Number.NaN)).toBeNaN();
  });
});
