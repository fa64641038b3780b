import type { Builder } from '../program/builder.js';
import type { Pair as Complex } from './complex.js';
import { isInfinite, lengthOf, logarithmOfSize, turned } from './complex-mathematics.js';
import { Doubles } from './double.js';
import { atan2, hypot } from './inverse.js';
import { log, log1p } from './mathematics.js';
import { copySign } from './real.js';

// Inverse functions of complex numbers, by the formulas of Hull, Fairgrieve and Tang ("Implementing
// the complex arcsine and arccosine functions using exception handling", 1997), in which no digits
// cancel out.

/** From here on, 1 does not count beside the square of a number. */
const LARGE = 2 ** 30;

/** The arcsine of a number is of this size, by its real and its imaginary part. */
interface Sides {
  /** Of the right-angled triangle in which |re(asin)| is the angle opposite |x|. */
  readonly adjacent: number;
  /** |im(asin)| */
  readonly height: number;
}

function sidesOf(d: Doubles, x: number, y: number): Sides {
  const { b } = d;
  const [width, size] = [d.absolute(x), d.absolute(y)];
  const isLarge = b.op('not', d.isBelow(b.op('maximum', width, size), LARGE));
  const [re, im] = [width, size].map((part) => b.select(isLarge, d.number(1), part)) as [
    number,
    number,
  ];
  // The distances from 1 and -1, whose mean is a; and what these are more than their real parts.
  const [far, near] = [d.plus(re, 1), d.absolute(d.plus(re, -1))];
  const [r, s] = [lengthOf(d, far, im)[0], hypot(b, near, im)];
  const [p, q] = [d.add(r, far), d.add(s, near)];
  const a = d.scale(d.add(r, s), 0.5);
  // Of a - 1 and a - |x|, the larger one, and the smaller one: a small y would have no square.
  const larger = d.scale(
    b.op('squareRoot', d.scale(d.add(d.divide(d.multiply(im, im), p), q), 2)),
    0.5,
  );
  const up = d.scale(im, 2 ** 600);
  const shares = d.scale(d.add(d.divide(up, p), d.divide(up, q)), 0.5);
  const product = d.multiply(b.op('squareRoot', up), b.op('squareRoot', shares));
  const smaller = b.select(d.equals(im, 0), im, d.scale(product, 2 ** -600));
  const isInside = d.isBelow(re, 1);
  const beyondX = b.select(isInside, larger, smaller);
  const beyondOne = b.select(isInside, smaller, larger);
  const adjacent = d.multiply(beyondX, b.op('squareRoot', d.add(a, re)));
  const sum = d.add(beyondOne, b.op('squareRoot', d.plus(a, 1)));
  const height = log1p(b, d.multiply(beyondOne, sum));
  return {
    adjacent: b.select(isLarge, size, adjacent),
    height: b.select(isLarge, logarithmOfSize(d, [x, d.number(0)], y, 1), height),
  };
}

export function asin(b: Builder, [x, y]: Complex): Complex {
  const d = new Doubles(b);
  const { adjacent, height } = sidesOf(d, x, y);
  const re = atan2(b, d.absolute(x), adjacent);
  return [b.select(d.equals(x, 0), x, copySign(b, re, x)), copySign(b, height, y)];
}

export function acos(b: Builder, [x, y]: Complex): Complex {
  const d = new Doubles(b);
  const { adjacent, height } = sidesOf(d, x, y);
  const re = b.select(d.equals(x, 0), d.number(Math.PI / 2), atan2(b, adjacent, x));
  return [re, b.op('negate', copySign(b, height, y))];
}

/** i * asin(-i * z) */
export function asinh(b: Builder, [x, y]: Complex): Complex {
  const [re, im] = asin(b, [y, b.op('negate', x)]);
  return [b.op('negate', im), re];
}

export function acosh(b: Builder, z: Complex): Complex {
  const [re, im] = acos(b, z);
  return [b.op('absolute', im), copySign(b, re, z[1])];
}

export function atanh(b: Builder, [x, y]: Complex): Complex {
  const d = new Doubles(b);
  const [width, size] = [d.absolute(x), d.absolute(y)];
  const large = b.op('maximum', width, size);
  const isLarge = d.isAbove(large, 2 ** 500);
  const near = d.subtract(d.number(1), width);
  const square = d.multiply(size, size);
  const distance = d.add(d.multiply(near, near), square);
  const quarter = d.scale(log1p(b, d.divide(d.scale(width, 4), distance)), 0.25);
  // Beside 1, the distance has no square, and far from it, its square is infinite.
  const beside = d.scale(d.subtract(d.number(Math.LN2), log(b, size)), 0.5);
  const isBeside = b.op('and', d.equals(near, 0), d.isBelow(size, 2 ** -400));
  const [re, im] = [width, size].map((part) => d.scale(part, 2 ** -600)) as [number, number];
  const far = d.scale(d.divide(re, d.add(d.multiply(re, re), d.multiply(im, im))), 2 ** -600);
  const isFar = b.op('or', isInfinite(d, x), isInfinite(d, y));
  const small = b.select(isBeside, beside, b.select(isLarge, far, quarter));
  const height = b.select(b.op('or', isFar, d.equals(x, 0)), d.number(0), small);
  const under = d.subtract(d.multiply(near, d.plus(width, 1)), square);
  const angle = d.scale(atan2(b, d.scale(y, 2), under), 0.5);
  const turn = copySign(b, d.number(Math.PI / 2), y);
  const isTurned = b.op('or', isLarge, isInfinite(d, y));
  return [copySign(b, height, x), b.select(isTurned, turn, angle)];
}

export const atan: (b: Builder, z: Complex) => Complex = turned(atanh);
