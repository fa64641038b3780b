import type { Builder } from '../program/builder.js';
import { Doubles, type Pair } from './double.js';
import { exponential, logarithmPair, signed } from './mathematics.js';
import { isNotNumber } from './real.js';

// The error function and the logarithm of the gamma function, as mathematics.ts has the others.

/** erf(x) / x - 1, as a polynomial of x^2 below 1. */
const ERROR = [2 / Math.sqrt(Math.PI) - 1, ...errorTerms(20)];
/** x * e^(x^2) * erfc(x) as a polynomial of (x - 4) / (x + 4), from 1 to 6.1: Chebyshev's. */
const REST = [
  0.5479978305002455, 0.05972346595980548, -0.10167001340782719, 0.11617743547568173, -0.1050011217174158,
  0.07842032535101885, -0.04881471110423241, 0.025005729524730368, -0.010129003921534298, 0.0029155642648675643,
  -3.6787754757764383e-4, -1.3897886508300376e-4, 8.576578511008036e-5, -1.445624026716786e-5,
  -1.1921841393000867e-5, -1.2504908277842797e-7,
]; // biome-ignore format: in rows

function errorTerms(count: number): number[] {
  let power = 2 / Math.sqrt(Math.PI);
  return Array.from({ length: count }, (_, k) => {
    power /= -(k + 1);
    return power / (2 * k + 3);
  });
}

export function erf(b: Builder, x: number): number {
  const d = new Doubles(b);
  const size = d.absolute(x);
  const bounded = b.op('minimum', size, d.number(6.1)); // beyond, it is 1 to all digits
  const square = d.multiply(bounded, bounded);
  const small = d.add(size, d.multiply(size, d.polynomial(square, ERROR)));
  const place = d.divide(d.plus(bounded, -4), d.plus(bounded, 4));
  const power = exponential(d, b.op('negate', square), 0);
  const rest = d.divide(d.multiply(power, d.polynomial(place, REST)), bounded);
  const large = d.subtract(d.number(1), rest);
  return signed(d, b.select(d.isBelow(size, 1), small, large), x);
}

/** 1 minus Euler's constant, and half of log(2 pi) minus a half. */
const ONE_LESS_EULER: Pair = [0.42278433509846713, 4.942915152430645e-18];
const STIRLING = 0.41893853320467278;
/** lgamma(2 + w) / w^2 without its first term, for |w| <= 1/2: (zeta(k) - 1) / k from 2 on. */
const ZETA = [
  0.3224670334241132, -0.0673523010531981, 0.020580808427784546, -0.007385551028673986, 0.0028905103307415234,
  -0.001192753911703261, 5.096695247430425e-4, -2.2315475845357939e-4, 9.945751278180853e-5, -4.492623673813314e-5,
  2.050721277567069e-5, -9.439488275268397e-6, 4.374866789907488e-6, -2.039215753801366e-6, 9.55141213040742e-7,
  -4.492469198764566e-7, 2.1207184805554665e-7, -1.0043224823968099e-7, 4.7698101693639804e-8, -2.2711094608943164e-8,
  1.0838659214896955e-8, -5.183475041970047e-9, 2.4836745438024785e-9, -1.1921401405860912e-9, 5.731367241678862e-10,
  -2.7595228851242334e-10,
]; // biome-ignore format: in rows
/** Stirling's series: Bernoulli's numbers over 2k * (2k - 1). */
const SERIES = [
  1 / 12,
  -1 / 360,
  1 / 1260,
  -1 / 1680,
  1 / 1188,
  -691 / 360360,
  1 / 156,
  -3617 / 122400,
  43867 / 244188,
];
/** (sin(pi r) / (pi r) - 1) / r^2 as a polynomial of r^2, for |r| <= 1/2. */
const SINE = sineTerms(12);

function sineTerms(count: number): number[] {
  let term = 1;
  return Array.from({ length: count }, (_, k) => {
    term *= -(Math.PI * Math.PI) / ((2 * k + 2) * (2 * k + 3));
    return term;
  });
}

/** For numbers of 8 or more: (x - 1/2) * (log(x) - 1) + …, after Stirling. */
function ofLarge(d: Doubles, x: number, log: Pair): Pair {
  const { b } = d;
  const isHuge = d.isAbove(x, 2 ** 900);
  const up = b.select(isHuge, d.number(2 ** -600), d.number(1));
  const back = b.select(isHuge, d.number(2 ** 600), d.number(1));
  const [base, lost] = d.sum(d.multiply(x, up), d.number(-0.5));
  const [factor, factorLost] = d.quickSum(log[0], d.number(-1));
  const [product, productLow] = d.productOf([base, lost], [factor, d.add(factorLost, log[1])]);
  const inverse = d.divide(d.number(1), x);
  const series = d.multiply(inverse, d.polynomial(d.multiply(inverse, inverse), SERIES));
  const low = d.add(productLow, d.plus(series, STIRLING));
  return [d.multiply(product, back), d.multiply(low, back)];
}

/** lgamma(2 + w), for |w| <= 1/2. */
function aroundTwo(d: Doubles, w: number): Pair {
  const [high, low] = ONE_LESS_EULER;
  const [slope, slopeLow] = d.quickSum(d.number(high), d.multiply(w, d.polynomial(w, ZETA)));
  return d.productOf([w, d.number(0)], [slope, d.plus(slopeLow, low)]);
}

/** For numbers above 0, which are moved to those around 2 if they are small. */
function ofPositive(d: Doubles, x: number): Pair {
  const { b } = d;
  const one = d.number(1);
  const isLarge = b.test('lessEqual', d.number(8), x);
  const bounded = b.op('minimum', x, d.number(8));
  const whole = b.op('roundToEven', bounded);
  // Gamma(x) is that of the moved number times this, or, below it, over this.
  let factor = b.select(d.isBelow(whole, 2), bounded, one);
  for (let step = 1; step <= 6; step++) {
    const more = d.multiply(factor, d.plus(bounded, -step));
    factor = b.select(d.isAbove(whole, step + 1), more, factor);
  }
  const isTiny = d.equals(whole, 0);
  const twice = d.productOf([bounded, d.number(0)], d.sum(one, bounded));
  const moved = b.select(isTiny, twice[0], factor);
  const argument = b.select(isLarge, x, moved);
  const rest = b.select(b.op('and', isTiny, b.op('not', isLarge)), twice[1], d.number(0));
  const [log, logLow] = logarithmPair(d, argument);
  const logRest = d.add(logLow, d.divide(rest, argument));
  const sign = b.select(d.isBelow(whole, 2), d.number(-1), one);
  const [near, nearLow] = aroundTwo(d, d.subtract(bounded, whole));
  const [sum, lost] = d.sum(near, d.multiply(sign, log));
  const sumLow = d.add(lost, d.add(nearLow, d.multiply(sign, logRest)));
  const large = ofLarge(d, x, [log, logRest]);
  return [b.select(isLarge, large[0], sum), b.select(isLarge, large[1], sumLow)];
}

/** The logarithm of the size of gamma(x): infinite for 0 and negative integers. */
export function lgamma(b: Builder, x: number): number {
  const d = new Doubles(b);
  const size = d.absolute(x);
  const [positive, positiveLow] = ofPositive(d, size);
  // Gamma(-x) * gamma(x) = -pi / (x * sin(pi * x))
  const r = d.absolute(d.subtract(size, b.op('roundToEven', size)));
  const z = d.multiply(r, r);
  const sine = d.add(r, d.multiply(r, d.multiply(z, d.polynomial(z, SINE))));
  const [log, logLow] = logarithmPair(d, d.multiply(size, sine));
  const [sum, lost] = d.sum(positive, log);
  // Less than 0, and not its opposite: a root is 0 without a sign.
  const reflected = d.subtract(d.number(0), d.add(sum, d.add(lost, d.add(positiveLow, logLow))));
  const infinity = d.number(Number.POSITIVE_INFINITY);
  const negative = b.select(d.equals(r, 0), infinity, reflected);
  // What is nearly 0 has the logarithm of its inverse, whatever its sign.
  const isNegative = d.isBelow(x, -(2 ** -60));
  const value = b.select(isNegative, negative, d.add(positive, positiveLow));
  const isEnd = b.op('or', d.equals(size, 0), d.equals(size, Number.POSITIVE_INFINITY));
  return b.select(isNotNumber(b, x), x, b.select(isEnd, infinity, value));
}
