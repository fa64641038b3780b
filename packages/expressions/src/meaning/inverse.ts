import type { Builder } from '../program/builder.js';
import { Doubles, type Pair } from './double.js';
import { logarithmOfSum, signed } from './mathematics.js';
import { isNegative, isNotNumber } from './real.js';

// The inverses of circular and hyperbolic functions, as mathematics.ts has the others: Taylor's
// series of small numbers, to which the others are reduced, and logarithms of sums in two words.

const HALF_PI: Pair = [1.5707963267948966, 6.123233995736766e-17];
const PI: Pair = [2 * HALF_PI[0], 2 * HALF_PI[1]];
const QUARTER_PI: Pair = [HALF_PI[0] / 2, HALF_PI[1] / 2];

/** (asin(s) - s) / s^3 as a polynomial of s^2, for s^2 up to 1/4. */
const ARCSINE = Array.from({ length: 26 }, (_, k) => arcsineTerm(k + 1) / (2 * k + 3));
/** (atan(u) - u) / u^3 as a polynomial of u^2, for |u| up to tan(pi / 8). */
const ARCTANGENT = Array.from({ length: 22 }, (_, k) => (k % 2 === 0 ? -1 : 1) / (2 * k + 3));

/** 1/2 * 3/4 * 5/6 * …, of k factors. */
function arcsineTerm(k: number): number {
  return k === 0 ? 1 : (arcsineTerm(k - 1) * (2 * k - 1)) / (2 * k);
}

/** A constant in two words where a condition holds, else another. */
function choose(d: Doubles, condition: number, [x, xLow]: Pair, [y, yLow]: Pair): Pair {
  return [
    d.b.select(condition, d.number(x), d.number(y)),
    d.b.select(condition, d.number(xLow), d.number(yLow)),
  ];
}

/** The arcsine of a size is `base + factor * (s + rest)`. */
function arcsine(d: Doubles, size: number) {
  const { b } = d;
  const isSmall = d.isBelow(size, 0.5);
  // Half of the rest of a right angle has this sine. Beyond 1 it has none, and is NaN.
  const square = d.scale(d.subtract(d.number(1), size), 0.5);
  const z = b.select(isSmall, d.multiply(size, size), square);
  const s = b.select(isSmall, size, b.op('squareRoot', z));
  const rest = d.multiply(s, d.multiply(z, d.polynomial(z, ARCSINE)));
  return { isSmall, s, rest };
}

/** base + factor * (s + rest), for a base of 0 or more than the second term. */
function around(d: Doubles, base: Pair, factor: number, s: number, rest: number): number {
  const [high, lost] = d.quickSum(base[0], d.multiply(factor, s));
  return d.add(high, d.add(lost, d.add(base[1], d.multiply(factor, rest))));
}

export function asin(b: Builder, x: number): number {
  const d = new Doubles(b);
  const { isSmall, s, rest } = arcsine(d, d.absolute(x));
  const base = choose(d, isSmall, [0, 0], HALF_PI);
  const factor = b.select(isSmall, d.number(1), d.number(-2));
  return signed(d, around(d, base, factor, s, rest), x);
}

export function acos(b: Builder, x: number): number {
  const d = new Doubles(b);
  const { isSmall, s, rest } = arcsine(d, d.absolute(x));
  const isBelow = d.isBelow(x, 0);
  const far = choose(d, isBelow, PI, [0, 0]);
  const base: Pair = [
    b.select(isSmall, d.number(HALF_PI[0]), far[0]),
    b.select(isSmall, d.number(HALF_PI[1]), far[1]),
  ];
  const size = b.select(isSmall, d.number(-1), d.number(2));
  return around(d, base, b.select(isBelow, b.op('negate', size), size), s, rest);
}

/** The arctangent of y / x in two words, for numbers of 0 <= y <= x of about the same size. */
function arctangent(d: Doubles, y: number, x: number): Pair {
  const { b } = d;
  const isLarge = b.test('less', d.scale(x, Math.SQRT2 - 1), y);
  const [over, overLow] = d.sum(y, b.op('negate', x));
  const [under, underLow] = d.sum(y, x);
  const none = d.number(0);
  const [u, uLow] = d.quotientOf(
    [b.select(isLarge, over, y), b.select(isLarge, overLow, none)],
    [b.select(isLarge, under, x), b.select(isLarge, underLow, none)],
  );
  const z = d.multiply(u, u);
  const tail = d.multiply(d.multiply(u, z), d.polynomial(z, ARCTANGENT));
  const slope = d.subtract(d.number(1), z);
  const [base, baseLow] = choose(d, isLarge, QUARTER_PI, [0, 0]);
  const [high, lost] = d.quickSum(base, u);
  return d.quickSum(high, d.add(lost, d.add(baseLow, d.add(tail, d.multiply(uLow, slope)))));
}

/** base + angle, or base - angle. */
function turned(d: Doubles, base: Pair, isBackwards: number, [high, low]: Pair): number {
  const sign = d.b.select(isBackwards, d.number(-1), d.number(1));
  return around(d, base, sign, high, low);
}

export function atan(b: Builder, x: number): number {
  const d = new Doubles(b);
  const size = d.absolute(x);
  const one = d.number(1);
  const isOver = d.isAbove(size, 1);
  const bounded = b.op('minimum', size, d.number(2 ** 60));
  const angle = arctangent(d, b.select(isOver, one, size), b.select(isOver, bounded, one));
  const value = turned(d, choose(d, isOver, HALF_PI, [0, 0]), isOver, angle);
  return signed(d, b.select(d.isBelow(size, 2 ** -27), size, value), x);
}

/** A power of two, 2^n, with which squares of numbers of a size are neither 0 nor infinite. */
export function scaled(
  d: Doubles,
  large: number,
): { readonly up: number; readonly back: number; readonly n: number } {
  const { b } = d;
  const isHuge = d.isAbove(large, 2 ** 500);
  const isTiny = d.isBelow(large, 2 ** -400);
  const choose = (huge: number, tiny: number, other: number) =>
    b.select(isHuge, d.number(huge), b.select(isTiny, d.number(tiny), d.number(other)));
  return {
    up: choose(2 ** -600, 2 ** 600, 1),
    back: choose(2 ** 600, 2 ** -600, 1),
    n: choose(-600, 600, 0),
  };
}

/** The angle of a point, with the special cases of C's `atan2`. */
export function atan2(b: Builder, y: number, x: number): number {
  const d = new Doubles(b);
  const sizes = [d.absolute(x), d.absolute(y)] as const;
  const areInfinite = sizes.map((size) => d.equals(size, Number.POSITIVE_INFINITY)) as [
    number,
    number,
  ];
  const isDiagonal = b.op('and', ...areInfinite);
  const [width, height] = sizes.map((size) => b.select(isDiagonal, d.number(1), size)) as [
    number,
    number,
  ];
  const isSteep = b.test('less', width, height);
  const small = b.select(isSteep, width, height);
  const large = b.select(isSteep, height, width);
  // A small angle is its own tangent; it may be subnormal.
  const ratio = b.select(d.equals(large, 0), d.number(0), d.divide(small, large));
  const isFlat = d.isBelow(ratio, 2 ** -27);
  const { up } = scaled(d, large);
  const [high, low] = arctangent(d, d.multiply(small, up), d.multiply(large, up));
  const angle: Pair = [b.select(isFlat, ratio, high), b.select(isFlat, d.number(0), low)];
  const isBehind = isNegative(b, x);
  const level = choose(d, isBehind, PI, [0, 0]);
  const base: Pair = [
    b.select(isSteep, d.number(HALF_PI[0]), level[0]),
    b.select(isSteep, d.number(HALF_PI[1]), level[1]),
  ];
  const value = turned(d, base, b.op('xor', isSteep, isBehind), angle);
  return b.select(isNotNumber(b, x), x, signed(d, value, y));
}

/** The length of (x, y): infinite if one is, even beside NaN. */
export function hypot(b: Builder, x: number, y: number): number {
  const d = new Doubles(b);
  const [width, height] = [d.absolute(x), d.absolute(y)];
  const large = b.op('maximum', width, height);
  const { up, back } = scaled(d, large);
  const square = (size: number) => {
    const one = d.multiply(size, up);
    return d.multiply(one, one);
  };
  const root = b.op('squareRoot', d.add(square(width), square(height)));
  const infinity = d.number(Number.POSITIVE_INFINITY);
  const isInfinite = b.op(
    'or',
    b.test('equal', width, infinity),
    b.test('equal', height, infinity),
  );
  return b.select(isInfinite, infinity, d.multiply(root, back));
}

/** Beyond this, a square is not needed: 1 does not count beside it. */
const LARGE = 2 ** 500;

export function asinh(b: Builder, x: number): number {
  const d = new Doubles(b);
  const size = d.absolute(x);
  const isLarge = d.isAbove(size, LARGE);
  const one = d.number(1);
  const bounded = b.select(isLarge, one, size);
  // x + sqrt(x^2 + 1) = 1 + x + x^2 / (1 + sqrt(x^2 + 1))
  const square = d.multiply(bounded, bounded);
  const root = b.op('squareRoot', d.plus(square, 1));
  const [sum, sumLow] = d.quickSum(bounded, d.divide(square, d.plus(root, 1)));
  const value = logarithmBeyond(d, isLarge, size, sum, sumLow);
  const finite = b.select(d.equals(size, Number.POSITIVE_INFINITY), size, value);
  return signed(d, b.select(d.isBelow(size, 2 ** -28), size, finite), x);
}

/** log(1 + sum), or log(2 * size) of a large size. */
function logarithmBeyond(d: Doubles, isLarge: number, size: number, sum: number, sumLow: number) {
  const { b } = d;
  const [none, one] = [d.number(0), d.number(1)];
  const [whole, lost] = d.sum(sum, one);
  const rest = b.select(isLarge, none, d.add(lost, sumLow));
  return logarithmOfSum(d, b.select(isLarge, size, whole), rest, b.select(isLarge, one, none));
}

export function acosh(b: Builder, x: number): number {
  const d = new Doubles(b);
  const isLarge = d.isAbove(x, LARGE);
  const bounded = b.select(isLarge, d.number(2), x);
  // With t = x - 1: x + sqrt(x^2 - 1) = 1 + t + sqrt(t * (x + 1))
  const t = d.sum(bounded, d.number(-1));
  const [square, squareLow] = d.productOf(t, d.sum(bounded, d.number(1)));
  const root = b.op('squareRoot', square);
  const [back, lost] = d.product(root, root);
  const left = d.add(d.subtract(d.subtract(square, back), lost), squareLow);
  const rootLow = b.select(d.equals(root, 0), d.number(0), d.divide(left, d.scale(root, 2)));
  const [sum, sumLost] = d.sum(t[0], root);
  const sumLow = d.add(sumLost, d.add(t[1], rootLow));
  const value = logarithmBeyond(d, isLarge, x, sum, sumLow);
  const finite = b.select(d.equals(x, Number.POSITIVE_INFINITY), x, value);
  return b.select(b.test('lessEqual', d.number(1), x), finite, d.number(Number.NaN));
}

export function atanh(b: Builder, x: number): number {
  const d = new Doubles(b);
  const size = d.absolute(x);
  const under = d.sum(d.number(1), b.op('negate', size));
  const [quotient, quotientLow] = d.quotientOf([d.scale(size, 2), d.number(0)], under);
  const [whole, lost] = d.sum(quotient, d.number(1));
  const value = d.scale(logarithmOfSum(d, whole, d.add(lost, quotientLow)), 0.5);
  const end = b.select(d.equals(size, 1), d.number(Number.POSITIVE_INFINITY), d.number(Number.NaN));
  const known = b.select(d.isBelow(size, 1), value, end);
  return signed(d, b.select(d.isBelow(size, 2 ** -28), size, known), x);
}
