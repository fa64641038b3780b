import type { Builder } from '../program/builder.js';
import { Doubles, type Pair } from './double.js';

// Sines, cosines and tangents of float64, as mathematics.ts has the others. The angle is reduced as
// Payne and Hanek proposed ("Radian reduction for trigonometric functions", 1983), for all numbers:
// its digits times those of 2 / pi that matter, in integers.

/** What angles are counted in. */
export interface Unit {
  readonly radians: number;
  /** The digits of how many quadrants that is, behind 128 zeros. */
  readonly quadrants: readonly bigint[];
}

const RADIAN: Unit = {
  radians: 1,
  quadrants: [
    0x0n, 0x0n,
    0xa2f9836e4e441529n, 0xfc2757d1f534ddc0n, 0xdb6295993c439041n, 0xfe5163abdebbc561n,
    0xb7246e3a424dd2e0n, 0x06492eea09d1921cn, 0xfe1deb1cb129a73en, 0xe88235f52ebb4484n,
    0xe99c7026b45f7e41n, 0x3991d639835339f4n, 0x9c845f8bbdf9283bn, 0x1ff897ffde05980fn,
    0xef2f118b5a0a6d1fn, 0x6d367ecf27cb09b7n, 0x4f463f669e5fea2dn, 0x7527bac7ebe5f17bn,
    0x3d0739f78a5292ean, 0x6bfb5fb11f8d5d08n, 0x56033046fc7b6babn,
  ], // biome-ignore format: in rows
};

/** ln 2, by which 2^(iy) turns for each 1 of y. */
export const LN2_RADIANS: Unit = {
  radians: Math.LN2,
  quadrants: [
    0x0n, 0x0n,
    0x70f7263dfa5a6eecn, 0xb608582e55fef3ddn, 0x8e13becd1d495c36n, 0x1d72013aea9f8fcan,
    0x76e866fc9b48be48n, 0x15f5cb6fd8bee211n, 0x0394db3020d6eb52n, 0x30ffa9ae90cbc735n,
    0x51358ced67c0db3cn, 0x490d15bdd91a29f5n, 0x682402af5e8f9c23n, 0xbff15cbc71f05fedn,
    0xfe0bb0622a8c8f67n, 0x7309c45a7502282an, 0xead0c2435c5527bbn, 0x759f345e2d0628e8n,
    0xb1a563a253e62918n, 0xea5ffdabeac0d479n, 0xcfedb1b6fc78b439n,
  ], // biome-ignore format: in rows
};

const HALF_PI = 1.5707963267948966;
const HALF_PI_LOW = 6.123233995736766e-17;

/** (sin(r) - r) / r^3 and (cos(r) - 1 + r^2 / 2) / r^4, as polynomials of r^2. */
const SINE = [3, 5, 7, 9, 11, 13, 15, 17].map((k) => (k % 4 === 3 ? -1 : 1) / factorial(k));
const COSINE = [4, 6, 8, 10, 12, 14, 16].map((k) => (k % 4 === 0 ? 1 : -1) / factorial(k));

function factorial(n: number): number {
  return n <= 1 ? 1 : n * factorial(n - 1);
}

/** An angle: the quadrants, as uint64, and the rest from 0 to pi / 4, which may count backwards. */
interface Angle {
  readonly quadrants: number;
  readonly isBackwards: number;
  readonly rest: Pair;
}

/** Reduces the size of an angle of at least 2^-27. */
function reduced(d: Doubles, size: number, { quadrants: all }: Unit): Angle {
  const { b } = d;
  const u = (value: number | bigint) => d.bits(value);
  const right = (x: number, by: number) => b.op('shiftRight', x, u(by));
  const bits = b.reinterpret(size);
  const exponent = right(bits, 52);
  const digits = b.op('or', b.op('and', bits, u(0xf_ffff_ffff_ffffn)), u(1n << 52n));
  const offset = b.op('subtract', exponent, u(949));
  const words = wordsAt(d, all, right(offset, 6));
  // 192 digits from the offset on: those before make multiples of four quadrants.
  const by = b.op('and', offset, u(63));
  const others = b.op('subtract', u(63), by);
  const [w0, w1, w2] = [0, 1, 2].map((index) => {
    const [own, next] = [words[index] as number, words[index + 1] as number];
    const after = b.op('shiftRight', right(next, 1), others);
    return b.op('or', b.op('shiftLeft', own, by), after);
  }) as [number, number, number];
  const above = highProduct(d, digits, w2);
  const low = b.op('add', b.op('multiply', digits, w1), above);
  const carry = b.convert(b.test('less', low, above), 'uint64');
  const product = b.op('add', b.op('multiply', digits, w0), highProduct(d, digits, w1));
  const high = b.op('add', product, carry);
  // Two digits for the quadrant; the rest is a fraction of one.
  const f0 = b.op('or', b.op('shiftLeft', high, u(2)), right(low, 62));
  const f1 = b.op('shiftLeft', low, u(2));
  const isBackwards = b.op('not', b.test('equal', right(f0, 63), u(0)));
  const g0 = b.select(isBackwards, b.op('not', f0), f0);
  const g1 = b.select(isBackwards, b.op('not', f1), f1);
  const quadrants = b.op('add', right(high, 62), right(f0, 63));
  return { quadrants, isBackwards, rest: inRadians(d, g0, g1) };
}

/** Four words of many, from one on that is chosen by the binary digits of its index. */
function wordsAt(d: Doubles, all: readonly bigint[], index: number): number[] {
  const { b } = d;
  let words = all.map((word) => d.bits(word));
  for (const step of [16, 8, 4, 2, 1]) {
    const isSet = b.op('not', b.test('equal', b.op('and', index, d.bits(step)), d.bits(0)));
    const chosen = words.slice(0, step + 3);
    words = chosen.map((word, place) => {
      const later = words[place + step];
      return later === undefined ? word : b.select(isSet, later, word);
    });
  }
  return words;
}

/** The upper 64 bits of the product of two uint64, of which the first has 53. */
function highProduct(d: Doubles, x: number, y: number): number {
  const { b } = d;
  const mask = d.bits(0xffff_ffff);
  const halves = (value: number) =>
    [b.op('shiftRight', value, d.bits(32)), b.op('and', value, mask)] as const;
  const [xh, xl] = halves(x);
  const [yh, yl] = halves(y);
  const [low] = halves(b.op('multiply', xl, yl));
  const [upper, lower] = halves(b.op('add', b.op('multiply', xh, yl), low));
  const [middle] = halves(b.op('add', b.op('multiply', xl, yh), lower));
  return b.op('add', b.op('multiply', xh, yh), b.op('add', upper, middle));
}

/** A fraction of a quadrant, of 128 bits, as an angle in two words. */
function inRadians(d: Doubles, g0: number, g1: number): Pair {
  const { b } = d;
  const half = (word: number, isUpper: boolean, factor: number) => {
    const bits = isUpper
      ? b.op('shiftRight', word, d.bits(32))
      : b.op('and', word, d.bits(0xffff_ffff));
    return d.scale(b.convert(bits, 'float64'), factor);
  };
  const [high, low] = d.quickSum(half(g0, true, 2 ** -32), half(g0, false, 2 ** -64));
  const rest = d.add(low, d.add(half(g1, true, 2 ** -96), half(g1, false, 2 ** -128)));
  const [product, lost] = d.product(high, d.number(HALF_PI));
  const small = d.add(d.scale(high, HALF_PI_LOW), d.scale(rest, HALF_PI));
  return d.quickSum(product, d.add(lost, small));
}

function sineOf(d: Doubles, [r, low]: Pair): Pair {
  const z = d.multiply(r, r);
  const cubic = d.multiply(d.multiply(r, z), d.polynomial(z, SINE));
  const correction = d.multiply(low, d.subtract(d.number(1), d.scale(z, 0.5)));
  return d.quickSum(r, d.add(cubic, correction));
}

function cosineOf(d: Doubles, [r, low]: Pair): Pair {
  const z = d.multiply(r, r);
  const half = d.scale(z, 0.5);
  const [first, lost] = d.quickSum(d.number(1), d.b.op('negate', half));
  const quartic = d.multiply(d.multiply(z, z), d.polynomial(z, COSINE));
  return d.quickSum(first, d.add(lost, d.subtract(quartic, d.multiply(r, low))));
}

/** Sine and cosine of an angle, without the sign of x. */
function both(
  d: Doubles,
  x: number,
  unit = RADIAN,
): { readonly sine: Pair; readonly cosine: Pair } {
  const { b } = d;
  const { quadrants, isBackwards, rest } = reduced(d, d.absolute(x), unit);
  const select = (condition: number, one: Pair, other: Pair): Pair => [
    b.select(condition, one[0], other[0]),
    b.select(condition, one[1], other[1]),
  ];
  const negative = ([high, low]: Pair): Pair => [b.op('negate', high), b.op('negate', low)];
  const own = sineOf(d, rest);
  const s = select(isBackwards, negative(own), own);
  const c = cosineOf(d, rest);
  const isSet = (value: number, bit: number) =>
    b.op('not', b.test('equal', b.op('and', value, d.bits(bit)), d.bits(0)));
  const isTurned = isSet(quadrants, 1);
  const one = select(isTurned, c, s);
  const other = select(isTurned, s, c);
  const isDown = isSet(quadrants, 2);
  const isLeft = isSet(b.op('add', quadrants, d.bits(1)), 2);
  return {
    sine: select(isDown, negative(one), one),
    cosine: select(isLeft, negative(other), other),
  };
}

/** Whether an angle is so small that it is its own sine. */
export function isSmall(d: Doubles, x: number): number {
  return d.isBelow(d.absolute(x), 2 ** -27);
}

/** NaN for infinite angles and NaN. */
function ofFinite(d: Doubles, x: number, value: number): number {
  return d.b.select(
    d.isBelow(d.absolute(x), Number.POSITIVE_INFINITY),
    value,
    d.number(Number.NaN),
  );
}

function withSign(d: Doubles, x: number, value: number): number {
  const { b } = d;
  return b.select(d.isBelow(x, 0), b.op('negate', value), value);
}

/**
 * Sine and cosine in two words each; NaN for infinite angles and NaN. The sine of a small angle is in
 * its unit: there may be no digits for radians.
 */
export function sineAndCosine(
  d: Doubles,
  x: number,
  unit: Unit = RADIAN,
): { readonly sine: Pair; readonly cosine: Pair } {
  const { b } = d;
  const { sine, cosine } = both(d, x, unit);
  const small = isSmall(d, x);
  const of = (near: number, value: number) => ofFinite(d, x, b.select(small, near, value));
  const none = d.number(0);
  const fall = -0.5 * unit.radians ** 2;
  return {
    sine: [of(x, withSign(d, x, sine[0])), of(none, withSign(d, x, sine[1]))],
    cosine: [of(d.number(1), cosine[0]), of(d.scale(d.multiply(x, x), fall), cosine[1])],
  };
}

export function sin(b: Builder, x: number): number {
  const d = new Doubles(b);
  const value = withSign(d, x, both(d, x).sine[0]);
  return ofFinite(d, x, b.select(isSmall(d, x), x, value));
}

export function cos(b: Builder, x: number): number {
  const d = new Doubles(b);
  return ofFinite(d, x, b.select(isSmall(d, x), d.number(1), both(d, x).cosine[0]));
}

export function tan(b: Builder, x: number): number {
  const d = new Doubles(b);
  const { sine, cosine } = both(d, x);
  const first = d.divide(sine[0], cosine[0]);
  const rest = d.subtract(sine[1], d.multiply(first, cosine[1]));
  const value = withSign(d, x, d.add(first, d.divide(rest, cosine[0])));
  return ofFinite(d, x, b.select(isSmall(d, x), x, value));
}
