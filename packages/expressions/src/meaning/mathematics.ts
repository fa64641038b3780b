import type { Builder } from '../program/builder.js';
import { Doubles, type Pair } from './double.js';
import { copySign, isNegative, isNotNumber } from './real.js';

// Exponentials, logarithms and powers. Operands and results are float64, computed by the operations
// of a program alone, so that they have the same bits everywhere. What is computed as float32 is
// rounded at the end. The methods are those of the field's textbooks (Muller, "Elementary
// Functions"): reduction to a small interval, Taylor's series there, and two words where one is too
// short. testing/peers measures the errors.

/** The first 32 digits of ln 2, so that its multiples are exact, and the rest. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const LN2_LOWEST = 1.1612227229362532e-26;
/** The same for log10 2. */
const LG2_HIGH = 0.3010299955494702;
const LG2_LOW = 1.1451100898021838e-10;

/** (e^r - 1 - r) / r^2 for |r| < 0.35: 1 / k!, from 2 on. */
const EXPONENTIAL = Array.from({ length: 12 }, (_, k) => 1 / factorial(k + 2));
/** (log((1 + s) / (1 - s)) / s - 2) / s^2 as a polynomial of s^2, for |s| < 0.172: in one word. */
const LOGARITHM = logarithmSeries(10);

function logarithmSeries(length: number): number[] {
  return Array.from({ length }, (_, k) => 2 / (2 * k + 3));
}

function factorial(n: number): number {
  return n <= 1 ? 1 : n * factorial(n - 1);
}

/** A number as n * ln 2 + r, with the error of r. */
function reduced(
  d: Doubles,
  x: number,
): { readonly n: number; readonly r: number; lost(): number } {
  const n = d.b.op('roundToEven', d.scale(x, Math.LOG2E));
  const [high, low] = [d.subtract(x, d.scale(n, LN2_HIGH)), d.scale(n, LN2_LOW)];
  const r = d.subtract(high, low);
  return { n, r, lost: () => d.subtract(d.subtract(high, r), low) };
}

/** e^r - 1, for a small r. */
function smallExpm1(d: Doubles, r: number): number {
  return d.add(r, d.multiply(d.multiply(r, r), d.polynomial(r, EXPONENTIAL)));
}

/** e^x * 2^shift, where it is neither 0 nor infinite. */
export function exponential(d: Doubles, x: number, shift: number): number {
  const { n, r } = reduced(d, x);
  return d.scaleByPower(d.plus(smallExpm1(d, r), 1), shift === 0 ? n : d.plus(n, shift));
}

/** Sets the results beyond the range of `exponential`. */
function bounded(d: Doubles, x: number, value: number, low: number, high: number): number {
  const { b } = d;
  const above = b.select(d.isAbove(x, high), d.number(Number.POSITIVE_INFINITY), value);
  return b.select(d.isBelow(x, low), d.number(0), above);
}

export function exp(b: Builder, x: number): number {
  const d = new Doubles(b);
  return bounded(d, x, exponential(d, x, 0), -746, 709.7827128933841);
}

export function exp2(b: Builder, x: number): number {
  const d = new Doubles(b);
  const n = b.op('roundToEven', x);
  const r = d.scale(d.subtract(x, n), Math.LN2);
  const value = d.scaleByPower(d.plus(smallExpm1(d, r), 1), n);
  const infinite = b.select(
    b.test('lessEqual', d.number(1024), x),
    d.number(Number.POSITIVE_INFINITY),
    value,
  );
  return b.select(d.isBelow(x, -1076), d.number(0), infinite);
}

/** e^x - 1 in two words, where it is not infinite. */
export function expm1Pair(d: Doubles, x: number): Pair {
  const { b } = d;
  const { n, r, lost } = reduced(d, x);
  const square = d.multiply(d.multiply(r, r), d.polynomial(r, EXPONENTIAL));
  const [small, smallLow] = d.quickSum(r, d.add(square, lost()));
  // 2^n * (e^r - 1 + 1 - 2^-n); beyond 2^60 the last term is too small to count.
  const back = b.select(d.isAbove(n, 60), d.number(0), d.powerOfTwo(b.op('negate', n)));
  const [sum, sumLow] = d.sum(d.subtract(d.number(1), back), small);
  return [d.scaleByPower(sum, n), d.scaleByPower(d.add(sumLow, smallLow), n)];
}

export function expm1(b: Builder, x: number): number {
  const d = new Doubles(b);
  const value = d.add(...expm1Pair(d, x));
  const above = b.select(
    d.isAbove(x, 709.7827128933841),
    d.number(Number.POSITIVE_INFINITY),
    value,
  );
  const below = b.select(d.isBelow(x, -50), d.number(-1), above);
  return b.select(d.equals(x, 0), x, below);
}

/** A positive number as 2^k * (1 + f), with f from -0.3 to 0.42. */
function decomposed(d: Doubles, x: number): { readonly k: number; readonly f: number } {
  const { b } = d;
  const isSubnormal = d.isBelow(x, 2 ** -1022);
  const normal = b.select(isSubnormal, d.scale(x, 2 ** 54), x);
  const bits = b.reinterpret(normal);
  const root = d.bits(0x3fe6_a09e_667f_3bcdn); // the square root of 1/2
  const above = b.convert(b.op('subtract', bits, root), 'int64');
  const exponent = b.op('shiftRight', above, b.constant('int64', 52));
  const shifted = b.op('shiftLeft', b.convert(exponent, 'uint64'), d.bits(52));
  const f = d.plus(b.reinterpret(b.op('subtract', bits, shifted)), -1);
  const bias = b.select(isSubnormal, d.number(54), d.number(0));
  return { k: d.subtract(b.convert(exponent, 'float64'), bias), f };
}

/** log(1 + f) without f: the sum of both is rounded last. */
function logarithmRest(d: Doubles, f: number): number {
  const s = d.divide(f, d.plus(f, 2));
  const z = d.multiply(s, s);
  const series = d.multiply(z, d.polynomial(z, LOGARITHM));
  const half = d.multiply(d.scale(f, 0.5), f);
  return d.subtract(d.multiply(s, d.add(half, series)), half);
}

/** Sets the results of what has no logarithm. */
function ofPositive(d: Doubles, x: number, value: number): number {
  const { b } = d;
  const finite = b.select(d.equals(x, Number.POSITIVE_INFINITY), x, value);
  const positive = b.select(d.isBelow(x, 0), d.number(Number.NaN), finite);
  const nonzero = b.select(d.equals(x, 0), d.number(Number.NEGATIVE_INFINITY), positive);
  return b.select(isNotNumber(b, x), x, nonzero);
}

export function log(b: Builder, x: number): number {
  const d = new Doubles(b);
  const { k, f } = decomposed(d, x);
  const small = d.add(logarithmRest(d, f), d.scale(k, LN2_LOW));
  return ofPositive(d, x, d.add(d.scale(k, LN2_HIGH), d.add(f, small)));
}

export function log2(b: Builder, x: number): number {
  const d = new Doubles(b);
  const { k, f } = decomposed(d, x);
  const [high, low] = d.quickSum(f, logarithmRest(d, f));
  const [product, lost] = d.product(high, d.number(Math.LOG2E));
  const rest = d.add(lost, d.add(d.scale(low, Math.LOG2E), d.scale(high, 2.0355273740931033e-17)));
  return ofPositive(d, x, d.add(k, d.add(product, rest)));
}

export function log10(b: Builder, x: number): number {
  const d = new Doubles(b);
  const { k, f } = decomposed(d, x);
  const [high, low] = d.quickSum(f, logarithmRest(d, f));
  const [product, lost] = d.product(high, d.number(Math.LOG10E));
  const rest = d.add(lost, d.add(d.scale(low, Math.LOG10E), d.scale(high, 1.098319650216765e-17)));
  const small = d.add(d.scale(k, LG2_LOW), rest);
  return ofPositive(d, x, d.add(d.scale(k, LG2_HIGH), d.add(product, small)));
}

/** The logarithm of 2^doublings times the sum of a number and a much smaller one. */
export function logarithmOfSum(
  d: Doubles,
  whole: number,
  rest: number,
  doublings?: number,
): number {
  const { k, f } = decomposed(d, whole);
  const n = doublings === undefined ? k : d.add(k, doublings);
  // The rest counts only beside a small f.
  const correction = d.divide(rest, whole);
  const small = d.add(d.add(logarithmRest(d, f), d.scale(n, LN2_LOW)), correction);
  return d.add(d.scale(n, LN2_HIGH), d.add(f, small));
}

export function log1p(b: Builder, x: number): number {
  const d = new Doubles(b);
  const [whole, lost] = d.sum(x, d.number(1));
  const value = ofPositive(d, whole, logarithmOfSum(d, whole, lost));
  return b.select(d.isBelow(d.absolute(x), 2 ** -54), x, value);
}

/** e^x as a number near 1 in two words times 2^n, for x of less than 2^20. */
export function exponentialParts(
  d: Doubles,
  x: number,
): { readonly near: Pair; readonly n: number } {
  const { n, r, lost } = reduced(d, x);
  const [high, low] = d.quickSum(d.number(1), smallExpm1(d, r));
  return { near: [high, d.add(low, lost())], n };
}

/** 2^x in the same way. */
export function powerOfTwoParts(
  d: Doubles,
  x: number,
): { readonly near: Pair; readonly n: number } {
  const n = d.b.op('roundToEven', x);
  const [r, rest] = d.productOf([d.subtract(x, n), d.number(0)], logarithmOfTwo(d));
  const [high, low] = d.quickSum(d.number(1), smallExpm1(d, r));
  return { near: [high, d.add(low, rest)], n };
}

/** ln 2 in two words. */
export function logarithmOfTwo(d: Doubles): Pair {
  return [d.number(Math.LN2), d.number(2.3190468138462996e-17)];
}

/** The logarithm of e^x + e^y: the larger one, and what the smaller one adds. */
export function logaddexp(b: Builder, x: number, y: number): number {
  const d = new Doubles(b);
  const larger = b.op('maximum', x, y);
  const [apart, lost] = d.sum(b.op('minimum', x, y), b.op('negate', larger));
  // What the distance has lost counts if the result is small. An infinite one has lost nothing.
  const left = b.select(d.isBelow(d.absolute(lost), 1), lost, d.number(0));
  const { near, n } = exponentialParts(d, apart);
  const isNone = d.isBelow(apart, -746);
  const [ratio, ratioLow] = near.map((word) =>
    b.select(isNone, d.number(0), d.scaleByPower(word, n)),
  ) as [number, number];
  const [whole, rest] = d.sum(ratio, d.number(1));
  const log = logarithmOfSum(d, whole, d.add(rest, d.add(ratioLow, d.multiply(ratio, left))));
  const more = b.select(d.isBelow(ratio, 2 ** -54), ratio, log);
  // Two that are infinite are no distance apart.
  return b.select(
    d.equals(d.absolute(larger), Number.POSITIVE_INFINITY),
    larger,
    d.add(larger, more),
  );
}

/** x / (x + n), of a number in two words. */
function ofItself(d: Doubles, [x, low]: Pair, n: number): Pair {
  const [sum, lost] = d.sum(x, d.number(n));
  return d.quotientOf([x, low], [sum, d.add(lost, low)]);
}

/** sinh(x) of a size below 1, in two words. */
function smallSinh(d: Doubles, size: number): Pair {
  const e = expm1Pair(d, size);
  const [other, otherLow] = ofItself(d, e, 1);
  const [sum, lost] = d.sum(e[0], other);
  return d.quickSum(d.scale(sum, 0.5), d.scale(d.add(lost, d.add(e[1], otherLow)), 0.5));
}

/** Hyperbolic functions in two words each, times 2^n. */
interface Hyperbolic {
  readonly sinh: Pair;
  readonly cosh: Pair;
  readonly n: number;
}

/** sinh and cosh of an x from -2000 to 2000. */
export function sinhAndCosh(d: Doubles, x: number): Hyperbolic {
  const { b } = d;
  const size = d.absolute(x);
  const { near, n } = exponentialParts(d, size);
  // e^-x is too small to count beyond 2^-60 e^x.
  const back = b.select(
    d.isAbove(n, 60),
    d.number(0),
    d.powerOfTwo(d.scale(b.op('minimum', n, d.number(60)), -2)),
  );
  const inverse = d.quotientOf([d.number(1), d.number(0)], near);
  const [other, otherLow] = inverse.map((word) => d.multiply(word, back)) as [number, number];
  const half = (sum: Pair, low: number) =>
    d.quickSum(d.scale(sum[0], 0.5), d.scale(d.add(sum[1], low), 0.5));
  const cosh = half(d.sum(near[0], other), d.add(near[1], otherLow));
  const large = half(d.sum(near[0], b.op('negate', other)), d.subtract(near[1], otherLow));
  const unit = d.powerOfTwo(b.op('negate', b.op('minimum', n, d.number(2))));
  const small = smallSinh(d, b.op('minimum', size, d.number(1)));
  const isSmall = d.isBelow(size, 1);
  const isTiny = d.isBelow(size, 2 ** -30);
  const words = large.map((word, index) =>
    b.select(isSmall, d.multiply(small[index] as number, unit), word),
  );
  const isBelow = isNegative(b, x);
  const signedBy = (word: number) => b.select(isBelow, b.op('negate', word), word);
  const sinh: Pair = [
    b.select(isTiny, x, signedBy(words[0] as number)),
    b.select(isTiny, d.number(0), signedBy(words[1] as number)),
  ];
  return { sinh, cosh, n };
}

export function sinh(b: Builder, x: number): number {
  const d = new Doubles(b);
  const size = d.absolute(x);
  const difference = d.subtract(exponential(d, size, -1), exponential(d, b.op('negate', size), -1));
  const small = d.add(...smallSinh(d, b.op('minimum', size, d.number(1))));
  const value = b.select(d.isBelow(size, 1), small, difference);
  const finite = b.select(
    d.isAbove(size, 710.4758600739439),
    d.number(Number.POSITIVE_INFINITY),
    value,
  );
  return signed(d, finite, x);
}

export function cosh(b: Builder, x: number): number {
  const d = new Doubles(b);
  const size = d.absolute(x);
  const value = d.add(exponential(d, size, -1), exponential(d, b.op('negate', size), -1));
  return b.select(d.isAbove(size, 710.4758600739439), d.number(Number.POSITIVE_INFINITY), value);
}

export function tanh(b: Builder, x: number): number {
  const d = new Doubles(b);
  const size = d.absolute(x);
  // Beyond 22 it is 1, to all digits.
  const double = d.scale(b.op('minimum', size, d.number(22)), 2);
  return signed(d, d.add(...ofItself(d, expm1Pair(d, double), 2)), x);
}

/** The size with the sign of x; NaN for NaN, and 0 for 0. */
export function signed({ b }: Doubles, size: number, x: number): number {
  return b.select(isNotNumber(b, x), x, copySign(b, size, x));
}

/** The logarithm of a positive number in two words, whose error is below 2^-63. */
export function logarithmPair(d: Doubles, x: number): Pair {
  const { k, f } = decomposed(d, x);
  const [s, sLow] = d.quotientOf([f, d.number(0)], d.quickSum(d.number(2), f));
  // s^3 * (2/3 + 2/5 s^2 + …)
  const [z, zLost] = d.product(s, s);
  const zLow = d.add(zLost, d.multiply(d.scale(s, 2), sLow));
  const series = d.multiply(z, d.polynomial(z, logarithmSeries(13).slice(1)));
  const [factor, factorLost] = d.quickSum(d.number(2 / 3), series);
  const factorLow = d.plus(factorLost, 3.700743415417188e-17);
  const cube = d.productOf([s, sLow], [z, zLow]);
  const [tail, tailLow] = d.productOf(cube, [factor, factorLow]);
  const [head, headLow] = d.quickSum(d.scale(s, 2), tail);
  const small = d.add(headLow, d.add(tailLow, d.scale(sLow, 2)));
  const [middle, middleLow] = d.sum(d.scale(k, LN2_HIGH), head);
  const [low, lowLost] = d.product(k, d.number(LN2_LOW));
  const [high, highLow] = d.sum(middle, low);
  const all = d.add(
    d.add(highLow, middleLow),
    d.add(small, d.add(lowLost, d.scale(k, LN2_LOWEST))),
  );
  return d.quickSum(high, all);
}

/** x to the power of y, with the special cases of C's `pow`. */
export function pow(b: Builder, x: number, y: number): number {
  const d = new Doubles(b);
  const size = d.absolute(x);
  // Beyond this, all but 1 is 0 or infinite.
  const limit = d.number(2 ** 64);
  const exponent = b.op('maximum', b.op('minimum', y, limit), b.op('negate', limit));
  const [log, logLow] = logarithmPair(
    d,
    b.select(d.equals(size, Number.POSITIVE_INFINITY), d.number(1), size),
  );
  const [high, lost] = d.product(exponent, log);
  const low = d.add(lost, d.multiply(exponent, logLow));
  const { n, r } = reduced(d, high);
  const power = bounded(
    d,
    high,
    d.scaleByPower(d.plus(smallExpm1(d, d.add(r, low)), 1), n),
    -746,
    709.7827128933841,
  );
  // Of 0 and infinity: 0 or infinity.
  const isGrowing = b.test('less', d.number(0), y);
  const isInfinite = d.equals(size, Number.POSITIVE_INFINITY);
  const isEnd = b.op('or', d.equals(x, 0), isInfinite);
  const ends = b.select(
    b.op('xor', isInfinite, isGrowing),
    d.number(0),
    d.number(Number.POSITIVE_INFINITY),
  );
  const ofSize = b.select(isEnd, ends, power);
  // Of negative numbers: only by whole exponents, of which odd ones keep the sign.
  const isWhole = b.test('equal', b.op('floor', y), y);
  const half = d.scale(y, 0.5);
  const isOdd = b.op('and', isWhole, b.op('not', b.test('equal', b.op('floor', half), half)));
  const isBelow = isNegative(b, x);
  const ofSign = b.select(b.op('and', isBelow, isOdd), b.op('negate', ofSize), ofSize);
  const isBounded = b.op('not', isInfinite);
  const hasNone = b.op('and', b.op('and', d.isBelow(x, 0), isBounded), b.op('not', isWhole));
  const value = b.select(hasNone, d.number(Number.NaN), ofSign);
  // Of infinite exponents: by the size alone.
  const isWithout = d.equals(d.absolute(y), Number.POSITIVE_INFINITY);
  const farEnds = b.select(
    b.op('xor', d.isAbove(size, 1), isGrowing),
    d.number(0),
    d.number(Number.POSITIVE_INFINITY),
  );
  const far = b.select(d.equals(size, 1), d.number(1), farEnds);
  const known = b.select(isWithout, far, value);
  const isNone = b.op('or', isNotNumber(b, x), isNotNumber(b, y));
  const number = b.select(isNone, d.number(Number.NaN), known);
  const isOne = b.op('or', d.equals(x, 1), d.equals(y, 0));
  return b.select(isOne, d.number(1), number);
}
