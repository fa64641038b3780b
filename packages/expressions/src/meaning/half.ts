import type { Builder } from '../program/builder.js';
import { isNotNumber } from './real.js';

// float16, in integers: what code needs no half arithmetic for, and no extension of a device.

/** The bits of a float16, as uint16, as a float32: exact. */
export function fromHalf(b: Builder, half: number): number {
  const u32 = (value: number) => b.constant('uint32', value);
  const bits = b.convert(half, 'uint32');
  const size = b.op('shiftLeft', b.op('and', bits, u32(0x7fff)), u32(13));
  const exponent = b.op('and', size, u32(0x0f80_0000));
  const normal = b.op('add', size, u32((127 - 15) << 23));
  const special = b.op('add', size, u32((255 - 31) << 23));
  const subnormal = b.op(
    'subtract',
    b.reinterpret(b.op('add', size, u32(113 << 23))),
    b.reinterpret(u32(113 << 23)),
  );
  const isSpecial = b.test('equal', exponent, u32(0x0f80_0000));
  const isSubnormal = b.test('equal', exponent, u32(0));
  const others = b.select(isSpecial, special, normal);
  const unsigned = b.select(isSubnormal, b.reinterpret(subnormal), others);
  const sign = b.op('shiftLeft', b.op('and', bits, u32(0x8000)), u32(16));
  return b.reinterpret(b.op('or', unsigned, sign));
}

/** The float16 that is nearest to a float32 or float64, ties to even, as uint16. */
export function toHalf(b: Builder, value: number): number {
  const float = b.typeOf(value) === 'float64' ? roundToOdd(b, value) : value;
  const u32 = (one: number) => b.constant('uint32', one);
  const bits = b.reinterpret(float);
  const size = b.op('and', bits, u32(0x7fff_ffff));
  const sign = b.op('and', b.op('shiftRight', bits, u32(16)), u32(0x8000));
  // Below 2^-14: adding 0.5 shifts the digits to where a float16 has them, and rounds.
  const shifted = b.reinterpret(b.op('add', b.reinterpret(size), b.constant('float32', 0.5)));
  const subnormal = b.op('subtract', shifted, u32(126 << 23));
  const isOdd = b.op('and', b.op('shiftRight', size, u32(13)), u32(1));
  const rebased = b.op('subtract', size, u32((127 - 15) << 23));
  const rounded = b.op('add', b.op('add', rebased, u32(0xfff)), isOdd);
  const normal = b.op('shiftRight', rounded, u32(13));
  const isSmall = b.test('less', size, u32(113 << 23));
  const isLarge = b.test('lessEqual', u32(143 << 23), size);
  const finite = b.select(isSmall, subnormal, normal);
  const numbers = b.op('or', b.select(isLarge, u32(0x7c00), finite), sign);
  return b.convert(b.select(isNotNumber(b, float), u32(0x7e00), numbers), 'uint16');
}

/**
 * The float32 beside a float64 that has an odd last digit unless it is exact: it rounds to the same
 * float16.
 */
function roundToOdd(b: Builder, value: number): number {
  const nearest = b.convert(value, 'float32');
  const back = b.convert(nearest, 'float64');
  const bits = b.reinterpret(nearest);
  const one = b.constant('uint32', 1);
  const isAbove = b.test('less', b.op('absolute', value), b.op('absolute', back));
  const towardsZero = b.select(isAbove, b.op('subtract', bits, one), bits);
  const odd = b.reinterpret(b.op('or', towardsZero, one));
  return b.select(b.test('equal', back, value), nearest, odd);
}
