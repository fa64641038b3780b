import type { Builder } from '../program/builder.js';

/** A complex number: the registers of its real and its imaginary part. */
export type Pair = readonly [re: number, im: number];

export function add(b: Builder, [xr, xi]: Pair, [yr, yi]: Pair): Pair {
  return [b.op('add', xr, yr), b.op('add', xi, yi)];
}

export function subtract(b: Builder, [xr, xi]: Pair, [yr, yi]: Pair): Pair {
  return [b.op('subtract', xr, yr), b.op('subtract', xi, yi)];
}

/** The schoolbook product. */
export function multiply(b: Builder, [xr, xi]: Pair, [yr, yi]: Pair): Pair {
  return [
    b.op('subtract', b.op('multiply', xr, yr), b.op('multiply', xi, yi)),
    b.op('add', b.op('multiply', xr, yi), b.op('multiply', xi, yr)),
  ];
}

/** Smith's quotient: the larger part of the divisor divides the smaller, as in NumPy. */
export function divide(b: Builder, [xr, xi]: Pair, [yr, yi]: Pair): Pair {
  const [re, im] = [b.op('absolute', yr), b.op('absolute', yi)];
  const isWide = b.test('lessEqual', im, re);
  const zero = b.constant(b.typeOf(yr), 0);
  const one = b.constant(b.typeOf(yr), 1);
  const [large, small] = [b.select(isWide, yr, yi), b.select(isWide, yi, yr)];
  const ratio = b.op('divide', small, large);
  const scale = b.op('divide', one, b.op('add', large, b.op('multiply', small, ratio)));
  const [xrRatio, xiRatio] = [b.op('multiply', xr, ratio), b.op('multiply', xi, ratio)];
  const top = b.select(isWide, b.op('add', xr, xiRatio), b.op('add', xrRatio, xi));
  const side = b.select(isWide, b.op('subtract', xi, xrRatio), b.op('subtract', xiRatio, xr));
  const isZero = b.op('and', b.test('equal', re, zero), b.test('equal', im, zero));
  return [
    b.select(isZero, b.op('divide', xr, re), b.op('multiply', top, scale)),
    b.select(isZero, b.op('divide', xi, re), b.op('multiply', side, scale)),
  ];
}

export function equal(b: Builder, [xr, xi]: Pair, [yr, yi]: Pair): number {
  return b.op('and', b.test('equal', xr, yr), b.test('equal', xi, yi));
}
