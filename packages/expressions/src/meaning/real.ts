import type { Builder } from '../program/builder.js';
import { bitsOf, isFloat, isSigned, type Register, rangeOf } from '../program/instruction.js';

// What operations on real numbers mean, in instructions. Operands are registers of one type.

/** Whether a number is not 0. NaN is not. */
export function isTrue(b: Builder, value: number): number {
  const type = b.typeOf(value);
  return type === 'bool' ? value : b.op('not', b.test('equal', value, b.constant(type, 0)));
}

export function isNotNumber(b: Builder, value: number): number {
  return b.op('not', b.test('equal', value, value));
}

export function isInfinite(b: Builder, value: number): number {
  const infinity = b.constant(b.typeOf(value), Number.POSITIVE_INFINITY);
  return b.test('equal', b.op('absolute', value), infinity);
}

/** Whether the sign bit of a number is set. A NaN has no sign. */
export function isNegative(b: Builder, value: number): number {
  const bits = b.reinterpret(value);
  const zero = b.constant(b.typeOf(bits), 0);
  const isSet = b.op('not', b.test('equal', b.op('and', bits, signBit(b, bits)), zero));
  return b.op('and', isSet, b.test('equal', value, value));
}

/** The size of one float with the sign of another. */
export function copySign(b: Builder, size: number, sign: number): number {
  const absolute = b.op('absolute', size);
  return b.select(isNegative(b, sign), b.op('negate', absolute), absolute);
}

/** 1, 0 or -1; NaN for NaN. */
export function signOf(b: Builder, value: number): number {
  const type = b.typeOf(value);
  const [zero, one] = [b.constant(type, 0), b.constant(type, 1)];
  const isZero = b.test('equal', value, zero);
  if (!isFloat(type) && !isSigned(type)) return b.select(isZero, zero, one);
  const sign = b.select(b.test('less', value, zero), b.constant(type, -1), one);
  const nonzero = b.select(isZero, zero, sign);
  return isFloat(type) ? b.select(b.test('equal', value, value), nonzero, value) : nonzero;
}

export function absolute(b: Builder, value: number): number {
  const type = b.typeOf(value);
  if (isFloat(type)) return b.op('absolute', value);
  if (!isSigned(type)) return value;
  return b.select(b.test('less', value, b.constant(type, 0)), b.op('negate', value), value);
}

/** The quotient, rounded down, as NumPy's `floor_divide`. */
export function floorDivide(b: Builder, x: number, y: number): number {
  const type = b.typeOf(x);
  const zero = b.constant(type, 0);
  const isByZero = b.test('equal', y, zero);
  if (isFloat(type)) {
    const rest = b.op('remainder', x, y);
    const even = b.op('divide', b.op('subtract', x, rest), y);
    const isOther = b.op('xor', b.test('less', rest, zero), b.test('less', y, zero));
    const isLess = b.op('and', isOther, isTrue(b, rest));
    const quotient = b.select(isLess, b.op('subtract', even, b.constant(type, 1)), even);
    const down = b.op('floor', quotient);
    const isShort = b.test('less', b.constant(type, 0.5), b.op('subtract', quotient, down));
    const nearest = b.select(isShort, b.op('add', down, b.constant(type, 1)), down);
    const exact = b.op('divide', x, y);
    const floored = b.select(b.test('equal', quotient, zero), copySign(b, zero, exact), nearest);
    return b.select(isByZero, exact, floored);
  }
  const { quotient, isUneven } = division(b, x, y);
  const one = b.constant(type, 1);
  const down = isSigned(type)
    ? b.select(isUneven, b.op('subtract', quotient, one), quotient)
    : quotient;
  return b.select(isByZero, zero, down);
}

/** What `floorDivide` leaves, with the sign of the divisor, as NumPy's `remainder`. */
export function modulo(b: Builder, x: number, y: number): number {
  const type = b.typeOf(x);
  const zero = b.constant(type, 0);
  if (isFloat(type)) {
    const rest = b.op('remainder', x, y);
    const isOther = b.op('xor', b.test('less', rest, zero), b.test('less', y, zero));
    const moved = b.select(isOther, b.op('add', rest, y), rest);
    const ofZero = b.select(b.test('equal', y, zero), rest, copySign(b, zero, y));
    return b.select(b.test('equal', rest, zero), ofZero, moved);
  }
  const { rest, divisor, isUneven } = division(b, x, y);
  const moved = isSigned(type) ? b.select(isUneven, b.op('add', rest, divisor), rest) : rest;
  return b.select(b.test('equal', y, zero), zero, moved);
}

/** Divides integers, cut off, by a divisor that no processor refuses. */
function division(b: Builder, x: number, y: number) {
  const type = b.typeOf(x);
  const [zero, one] = [b.constant(type, 0), b.constant(type, 1)];
  let isRefused = b.test('equal', y, zero);
  if (isSigned(type)) {
    // The least integer by -1 is itself, as by 1: negating it wraps around.
    const isLeast = b.test('equal', x, b.constant(type, rangeOf(type)[0]));
    const isMinusOne = b.test('equal', y, b.constant(type, -1));
    isRefused = b.op('or', isRefused, b.op('and', isLeast, isMinusOne));
  }
  const divisor = b.select(isRefused, one, y);
  const quotient = b.op('quotient', x, divisor);
  const rest = b.op('remainder', x, divisor);
  const isUneven = isSigned(type)
    ? b.op(
        'and',
        b.op('not', b.test('equal', rest, zero)),
        b.op('xor', b.test('less', rest, zero), b.test('less', divisor, zero)),
      )
    : b.constant('bool', 0);
  return { quotient, rest, divisor, isUneven };
}

/** An integer to the power of another. */
export function integerPower(b: Builder, base: number, exponent: number): number {
  const type = b.typeOf(base);
  const known = b.valueOf(exponent);
  const one = b.constant(type, 1);
  const zero = b.constant(type, 0);
  let [result, square] = [one, base];
  if (known !== undefined && known >= 0) {
    for (let left = BigInt(known); left > 0n; left >>= 1n) {
      if (left & 1n) result = result === one ? square : b.op('multiply', result, square);
      if (left > 1n) square = b.op('multiply', square, square);
    }
    return result;
  }
  let left = exponent;
  for (let bit = 0; bit < bitsOf(type) - (isSigned(type) ? 1 : 0); bit++) {
    if (bit > 0) square = b.op('multiply', square, square);
    const isOdd = isTrue(b, b.op('and', left, one));
    result = b.select(isOdd, b.op('multiply', result, square), result);
    left = b.op('shiftRight', left, one);
  }
  if (!isSigned(type)) return result;
  // A negative exponent: 1 and -1 stay in size, and the fraction of all others is cut off.
  const minusOne = b.constant(type, -1);
  const isOdd = isTrue(b, b.op('and', exponent, one));
  const ofMinusOne = b.select(isOdd, minusOne, one);
  const small = b.select(b.test('equal', base, minusOne), ofMinusOne, zero);
  const inverse = b.select(b.test('equal', base, one), one, small);
  return b.select(b.test('less', exponent, zero), inverse, result);
}

/** Shifts by any number: all bits leave if it is the width or more, or below 0. */
export function shift(
  b: Builder,
  direction: 'shiftLeft' | 'shiftRight',
  value: number,
  by: number,
): number {
  const type = b.typeOf(value);
  const zero = b.constant(type, 0);
  let isWithin = b.test('less', by, b.constant(type, bitsOf(type)));
  if (isSigned(type)) isWithin = b.op('and', isWithin, b.test('lessEqual', zero, by));
  if (direction === 'shiftRight' && isSigned(type)) {
    return b.op(direction, value, b.select(isWithin, by, b.constant(type, bitsOf(type) - 1))); // the sign
  }
  return b.select(isWithin, b.op(direction, value, b.select(isWithin, by, zero)), zero);
}

/** Compares a signed integer of 64 bits with an unsigned one, exactly. */
export function compareMixed(
  b: Builder,
  operation: 'equal' | 'less' | 'lessEqual',
  x: number,
  y: number,
): number {
  const isSignedFirst = b.typeOf(x) === 'int64';
  const signed = isSignedFirst ? x : y;
  const isBelow = b.test('less', signed, b.constant('int64', 0));
  const compared = b.test(operation, b.convert(x, 'uint64'), b.convert(y, 'uint64'));
  const whenBelow = operation === 'equal' || !isSignedFirst ? 0 : 1;
  return b.select(isBelow, b.constant('bool', whenBelow), compared);
}

/** The bits of a float, as an unsigned integer, and the float of bits. */
interface Bits {
  of(b: Builder, value: number): number;
  from(b: Builder, bits: number): number;
}

/** The bits of a register. */
export const OWN_BITS: Bits = {
  of: (b, value) => b.reinterpret(value),
  from: (b, bits) => b.reinterpret(bits),
};

/** The next float from `x` towards `y`, of those that have such bits. */
export function nextAfter(b: Builder, x: number, y: number, codec: Bits): number {
  const type = b.typeOf(x);
  const bits = codec.of(b, x);
  const one = b.constant(b.typeOf(bits), 1);
  const zero = b.constant(type, 0);
  // Further from 0 is one more in bits.
  const isAway = b.select(b.test('less', x, zero), b.test('less', y, x), b.test('less', x, y));
  const next = b.select(isAway, b.op('add', bits, one), b.op('subtract', bits, one));
  const least = copySign(b, codec.from(b, one), y);
  const moved = b.select(b.test('equal', x, zero), least, codec.from(b, next));
  const stays = b.select(b.test('equal', x, y), y, moved);
  const isNumber = b.op('and', b.test('equal', x, x), b.test('equal', y, y));
  return b.select(isNumber, stays, b.constant(type, Number.NaN));
}

/** A float without its fraction as an integer: clamped to the range, and 0 for NaN. */
export function clampToInteger(b: Builder, value: number, type: Register): number {
  const from = b.typeOf(value);
  const [least, most] = rangeOf(type);
  // Both bounds are powers of two, or 0, which every float has.
  const isLow = b.test('lessEqual', value, b.constant(from, Number(least)));
  const isHigh = b.test('lessEqual', b.constant(from, Number(most + 1n)), value);
  const isWithin = b.op(
    'and',
    b.op('not', b.op('or', isLow, isHigh)),
    b.test('equal', value, value),
  );
  const fits = b.convert(b.select(isWithin, value, b.constant(from, 0)), type);
  const low = b.select(isLow, b.constant(type, least), fits);
  return b.select(isHigh, b.constant(type, most), low);
}

function signBit(b: Builder, bits: number): number {
  const type = b.typeOf(bits);
  return b.constant(type, 1n << BigInt(bitsOf(type) - 1));
}
