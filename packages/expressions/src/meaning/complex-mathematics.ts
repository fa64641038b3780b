import type { Builder } from '../program/builder.js';
import { isSmall, LN2_RADIANS, sineAndCosine } from './circular.js';
import { type Pair as Complex, divide, multiply } from './complex.js';
import { Doubles, type Pair } from './double.js';
import { atan2, hypot, scaled } from './inverse.js';
import {
  expm1Pair,
  exponentialParts,
  logarithmOfSum,
  logarithmOfTwo,
  powerOfTwoParts,
  expm1 as realExpm1,
  sinhAndCosh,
} from './mathematics.js';
import { copySign, isNegative, isNotNumber } from './real.js';

// Functions of complex numbers of two float64, by the formulas of textbooks: products of sines,
// exponentials and hyperbolic functions, which are in two words each, so that each part is rounded
// once. Zeros, infinities and NaN are those of C (C17, annex G).

/** Beyond this, e^x makes all numbers infinite, and e^-x makes them 0. */
const FAR = 1500;
/** The same for 2^x. */
const FAR_OF_TWO = 2200;

export function isInfinite(d: Doubles, x: number): number {
  return d.equals(d.absolute(x), Number.POSITIVE_INFINITY);
}

/** Whether a number is infinite or NaN. */
function isEndless(d: Doubles, x: number): number {
  return d.b.op('not', d.isBelow(d.absolute(x), Number.POSITIVE_INFINITY));
}

function both(d: Doubles, ...conditions: readonly number[]): number {
  return conditions.reduce((all, one) => d.b.op('and', all, one));
}

/** A number between two that differ in their sign alone. NaN is NaN. */
function clamp({ b }: Doubles, x: number, limit: number): number {
  const most = b.constant('float64', limit);
  return b.op('maximum', b.op('minimum', x, most), b.op('negate', most));
}

/** x * 2^n, for a whole n from -4000 to 4000. */
function scaleWidely(d: Doubles, x: number, n: number): number {
  const half = d.b.op('roundToEven', d.scale(n, 0.5));
  return d.scaleByPower(d.scaleByPower(x, half), d.subtract(n, half));
}

/** Moves what is so large or small that its products lose digits, by 2^n. */
function moved(d: Doubles, [high, low]: Pair): { readonly pair: Pair; readonly n: number } {
  const { up, n } = scaled(d, d.absolute(high));
  return { pair: [d.multiply(high, up), d.multiply(low, up)], n };
}

/** x * y * 2^n, rounded once. */
function product(d: Doubles, x: Pair, y: Pair, n: number): number {
  const [one, other] = [moved(d, x), moved(d, y)];
  const [high, low] = d.productOf(one.pair, other.pair);
  const isZero = d.equals(high, 0); // which keeps its sign
  const sum = d.b.select(isZero, d.multiply(one.pair[0], other.pair[0]), d.add(high, low));
  return scaleWidely(d, sum, d.subtract(n, d.add(one.n, other.n)));
}

/** -i * f(i * z): as sin(z) is made of sinh. */
export function turned(
  f: (b: Builder, z: Complex) => Complex,
): (b: Builder, z: Complex) => Complex {
  return (b, [x, y]) => {
    const [re, im] = f(b, [b.op('negate', y), x]);
    return [im, b.op('negate', re)];
  };
}

export function exp(b: Builder, [x, y]: Complex): Complex {
  const d = new Doubles(b);
  const { near, n } = exponentialParts(d, clamp(d, x, FAR));
  const { sine, cosine } = sineAndCosine(d, y);
  return exponential(d, [x, y], product(d, near, cosine, n), product(d, near, sine, n));
}

export function exp2(b: Builder, [x, y]: Complex): Complex {
  const d = new Doubles(b);
  const { near, n } = powerOfTwoParts(d, clamp(d, x, FAR_OF_TWO));
  const { sine, cosine } = sineAndCosine(d, y, LN2_RADIANS);
  const small = isSmall(d, y);
  const [high, low] = d.productOf(near, logarithmOfTwo(d));
  const factor: Pair = [b.select(small, high, near[0]), b.select(small, low, near[1])];
  return exponential(d, [x, y], product(d, near, cosine, n), product(d, factor, sine, n));
}

/** An exponential with what C says of zeros and infinities. */
function exponential(d: Doubles, [x, y]: Complex, re: number, im: number): Complex {
  const { b } = d;
  const isLost = both(d, isEndless(d, y), isInfinite(d, x));
  const isNone = both(d, isLost, isNegative(b, x));
  const end = b.select(isNone, d.number(0), d.number(Number.POSITIVE_INFINITY));
  const isReal = d.equals(y, 0);
  return [b.select(isLost, end, re), b.select(isReal, y, b.select(isNone, d.number(0), im))];
}

export function sinh(b: Builder, [x, y]: Complex): Complex {
  const d = new Doubles(b);
  const { sinh, cosh, n } = sinhAndCosh(d, clamp(d, x, FAR));
  const { sine, cosine } = sineAndCosine(d, y);
  const keepsReal = both(d, isEndless(d, y), b.op('or', d.equals(x, 0), isInfinite(d, x)));
  return [
    b.select(keepsReal, x, product(d, sinh, cosine, n)),
    b.select(d.equals(y, 0), y, product(d, cosh, sine, n)),
  ];
}

export function cosh(b: Builder, [x, y]: Complex): Complex {
  const d = new Doubles(b);
  const { sinh, cosh, n } = sinhAndCosh(d, clamp(d, x, FAR));
  const { sine, cosine } = sineAndCosine(d, y);
  const isLost = isEndless(d, y);
  const im = product(d, sinh, sine, n);
  const isNone = b.op(
    'or',
    both(d, isLost, d.equals(x, 0)),
    both(d, isNotNumber(b, x), d.equals(y, 0)),
  );
  return [
    b.select(both(d, isLost, isInfinite(d, x)), d.absolute(x), product(d, cosh, cosine, n)),
    b.select(isNone, d.number(0), im),
  ];
}

/** (sinh x cosh x + i sin y cos y) / (sinh^2 x + cos^2 y), of which no part cancels out. */
export function tanh(b: Builder, [x, y]: Complex): Complex {
  const d = new Doubles(b);
  const { sinh, cosh, n } = sinhAndCosh(d, clamp(d, x, 800));
  const { sine, cosine } = sineAndCosine(d, y);
  const twice = d.scale(n, -2);
  const back = b.select(
    d.isAbove(n, 60),
    d.number(0),
    d.powerOfTwo(b.op('maximum', twice, d.number(-120))),
  );
  const [wide, wideLow] = d.productOf(sinh, sinh);
  const [side, sideLow] = d.productOf(cosine, cosine).map((word) => d.multiply(word, back)) as [
    number,
    number,
  ];
  const [sum, lost] = d.sum(wide, side);
  const under = d.quickSum(sum, d.add(lost, d.add(wideLow, sideLow)));
  const re = product(d, sinh, d.quotientOf(cosh, under), d.number(0));
  const im = product(d, sine, d.quotientOf(cosine, under), twice);
  const isLost = isEndless(d, y);
  const isFar = isInfinite(d, x);
  const unit = copySign(b, d.number(1), x);
  const known = b.select(both(d, isLost, d.equals(x, 0)), x, re);
  return [
    b.select(isFar, unit, known),
    b.select(d.equals(y, 0), y, b.select(both(d, isLost, isFar), d.number(0), im)),
  ];
}

export const sin: (b: Builder, z: Complex) => Complex = turned(sinh);
export const tan: (b: Builder, z: Complex) => Complex = turned(tanh);

export function cos(b: Builder, [x, y]: Complex): Complex {
  return cosh(b, [b.op('negate', y), x]);
}

export function abs(b: Builder, [x, y]: Complex): number {
  return hypot(b, x, y);
}

/** The logarithm of 2^doublings times the length of a number, whose real part is in two words. */
export function logarithmOfSize(d: Doubles, [x, xLow]: Pair, y: number, doublings = 0): number {
  const { b } = d;
  const large = b.op('maximum', d.absolute(x), d.absolute(y));
  const { up, n } = scaled(d, large);
  const re: Pair = [d.multiply(x, up), d.multiply(xLow, up)];
  const im = d.multiply(y, up);
  const [wide, wideLow] = d.productOf(re, re);
  const [side, sideLow] = d.product(im, im);
  // Around 1, the leading digits of the square cancel out.
  const [sum, lost] = d.sum(wide, side);
  const [low, lowLost] = d.sum(wideLow, sideLow);
  const [small, smallLost] = d.sum(lost, low);
  const [whole, rest] = d.sum(sum, small);
  const all = d.add(rest, d.add(smallLost, lowLost));
  const log = d.scale(logarithmOfSum(d, whole, all, d.scale(d.plus(n, -doublings), -2)), 0.5);
  const known = b.select(d.equals(large, 0), d.number(Number.NEGATIVE_INFINITY), log);
  const number = b.select(isNotNumber(b, large), large, known);
  const isFar = b.op('or', isInfinite(d, x), isInfinite(d, y));
  return b.select(isFar, d.number(Number.POSITIVE_INFINITY), number);
}

export function log(b: Builder, [x, y]: Complex): Complex {
  const d = new Doubles(b);
  return [logarithmOfSize(d, [x, d.number(0)], y), atan2(b, y, x)];
}

/** e^z - 1, for e^x * cos(y) - 1 = (e^x - 1) * cos(y) + cos(y) - 1. */
export function expm1(b: Builder, [x, y]: Complex): Complex {
  const d = new Doubles(b);
  const [far, im] = exp(b, [x, y]);
  const { sine, cosine } = sineAndCosine(d, y);
  const isModest = d.isBelow(d.absolute(x), 40);
  const [growth, growthLow] = d.productOf(expm1Pair(d, b.select(isModest, x, d.number(0))), cosine);
  const fall = d.quotientOf(d.productOf(sine, sine), d.sum(d.number(1), cosine[0]));
  const isRight = d.isAbove(cosine[0], 0);
  const [over, overLow] = d.sum(cosine[0], d.number(-1));
  const turn: Pair = [
    b.select(isRight, b.op('negate', fall[0]), over),
    b.select(isRight, b.op('negate', fall[1]), d.add(overLow, cosine[1])),
  ];
  const [sum, lost] = d.sum(growth, turn[0]);
  const near = d.add(sum, d.add(lost, d.add(growthLow, turn[1])));
  const signed = b.select(d.equals(near, 0), turn[0], near); // -y^2 / 2, even if that is too small
  const re = b.select(isModest, signed, d.plus(far, -1));
  return [b.select(d.equals(y, 0), realExpm1(b, x), re), im];
}

/** The logarithm to another base, of which 1 / log(base) is given. */
function logarithmTo(factor: number): (b: Builder, z: Complex) => Complex {
  return (b, z) => {
    const [re, im] = log(b, z);
    const d = new Doubles(b);
    return [d.scale(re, factor), d.scale(im, factor)];
  };
}

export const log2: (b: Builder, z: Complex) => Complex = logarithmTo(Math.LOG2E);
export const log10: (b: Builder, z: Complex) => Complex = logarithmTo(Math.LOG10E);

export function log1p(b: Builder, [x, y]: Complex): Complex {
  const d = new Doubles(b);
  const re = d.sum(x, d.number(1));
  const low = b.select(isInfinite(d, x), d.number(0), re[1]);
  const far = logarithmOfSize(d, [re[0], low], y);
  const isNear = both(d, d.isBelow(d.absolute(x), 0.5), d.isBelow(d.absolute(y), 2));
  return [b.select(isNear, logarithmNearOne(d, x, y), far), atan2(b, y, re[0])];
}

/** log(1 + 2x + x^2 + y^2) / 2, whose terms may cancel out, for small x and y. */
function logarithmNearOne(d: Doubles, x: number, y: number): number {
  const [side, sideLow] = d.product(x, x);
  const [wide, wideLow] = d.product(y, y);
  const [more, moreLost] = d.sum(d.scale(x, 2), side);
  const [all, allLost] = d.sum(more, wide);
  const [first, firstLost] = d.sum(moreLost, allLost);
  const [second, secondLost] = d.sum(sideLow, wideLow);
  const [low, lowLost] = d.sum(first, second);
  const [whole, rest] = d.sum(all, d.number(1));
  const [small, smallLost] = d.sum(rest, low);
  const least = d.add(d.add(smallLost, lowLost), d.add(firstLost, secondLost));
  const [near, off] = d.quickSum(whole, small);
  return d.scale(logarithmOfSum(d, near, d.add(off, least)), 0.5);
}

/** The length of a number in two words, if its square is neither 0 nor infinite. */
export function lengthOf(d: Doubles, re: number, im: number): Pair {
  const [wide, wideLow] = d.product(re, re);
  const [side, sideLow] = d.product(im, im);
  const [sum, lost] = d.sum(wide, side);
  return rootOf(d, [sum, d.add(lost, d.add(wideLow, sideLow))]);
}

/** The square root of a number in two words, if it is not infinite. */
function rootOf(d: Doubles, [x, xLow]: Pair): Pair {
  const root = d.b.op('squareRoot', x);
  const [square, squareLow] = d.product(root, root);
  const left = d.add(d.subtract(d.subtract(x, square), squareLow), xLow);
  const rest = d.divide(left, d.scale(root, 2));
  return [root, d.b.select(d.equals(root, 0), root, rest)];
}

export function sqrt(b: Builder, [x, y]: Complex): Complex {
  const d = new Doubles(b);
  const [width, height] = [d.absolute(x), d.absolute(y)];
  const { up, n } = scaled(d, b.op('maximum', width, height));
  const [re, im] = [d.multiply(width, up), d.multiply(height, up)];
  const [length, rest] = lengthOf(d, re, im);
  // The part that is the larger one: sqrt((|x| + |z|) / 2).
  const [sum, lost] = d.sum(re, length);
  const half: Pair = [d.scale(sum, 0.5), d.scale(d.add(lost, rest), 0.5)];
  const [root, off] = d.quickSum(...rootOf(d, half));
  const back = d.powerOfTwo(d.scale(n, -0.5));
  const isFar = isInfinite(d, x);
  const infinity = d.number(Number.POSITIVE_INFINITY);
  const large = b.select(isFar, infinity, d.multiply(root, back));
  const near = b.select(d.equals(large, 0), large, d.divide(height, d.scale(large, 2)));
  // The quotient by the root that was not rounded. Neither counts for what is 0 or infinite.
  const more = d.multiply(near, d.divide(off, root));
  const quotient = b.select(d.isBelow(d.absolute(more), 1e300), d.subtract(near, more), near);
  const small = b.select(both(d, isFar, isNotNumber(b, y)), y, quotient);
  const isLeft = d.isBelow(x, 0);
  const isEnd = isInfinite(d, y);
  return [
    b.select(isEnd, infinity, b.select(isLeft, small, large)),
    b.select(isEnd, y, copySign(b, b.select(isLeft, large, small), y)),
  ];
}

/** z / |z|; 0 of 0, and the direction of what is infinite. */
export function sign(b: Builder, z: Complex): Complex {
  const d = new Doubles(b);
  const isFar = z.map((part) => isInfinite(d, part)) as [number, number];
  const isOneFar = b.op('xor', ...isFar);
  const direction = z.map((part, index) =>
    b.select(isFar[index] as number, copySign(b, d.number(1), part), d.number(0)),
  );
  const large = b.op('maximum', d.absolute(z[0]), d.absolute(z[1]));
  const { up, n } = scaled(d, large);
  const [re, im] = z.map((part) => d.multiply(part, up)) as [number, number];
  const inverse = d.quotientOf([d.number(1), d.number(0)], lengthOf(d, re, im));
  const isZero = d.equals(large, 0);
  return z.map((part, index) => {
    const unit = b.select(isZero, d.number(0), product(d, inverse, [part, d.number(0)], n));
    return b.select(isOneFar, direction[index] as number, unit);
  }) as [number, number];
}

/** e^(w * log(z)); 1 for an exponent of 0. */
export function pow(b: Builder, z: Complex, w: Complex): Complex {
  const d = new Doubles(b);
  const power = exp(b, multiply(b, w, log(b, z)));
  const isZero = (one: Complex) => both(d, d.equals(one[0], 0), d.equals(one[1], 0));
  const ofZero = b.select(d.isAbove(w[0], 0), d.number(0), d.number(Number.NaN));
  const [isEnd, isOne] = [isZero(z), isZero(w)];
  return power.map((part, index) =>
    b.select(isOne, d.number(index === 0 ? 1 : 0), b.select(isEnd, ofZero, part)),
  ) as [number, number];
}

/** z^n for a whole n, by products, as NumPy does. */
export function wholePower(b: Builder, z: Complex, n: number): Complex {
  let [result, square]: [Complex | undefined, Complex] = [undefined, z];
  for (let left = Math.abs(n); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = result === undefined ? square : multiply(b, result, square);
    if (left > 1) square = multiply(b, square, square);
  }
  const type = b.typeOf(z[0]);
  const one: Complex = [b.constant(type, 1), b.constant(type, 0)];
  if (result === undefined) return one;
  return n < 0 ? divide(b, one, result) : result;
}
