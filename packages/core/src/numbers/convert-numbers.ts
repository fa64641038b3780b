import { type Conversion, type NumberType, sizeOf, wordSize } from './conversion.js';
import { roundToEven } from './rounding.js';

/** The value of one number, or of one part of a complex number. Integers and bools are bigints. */
type Value = number | bigint;

/**
 * Converts consecutive numbers, with the results of a copy: those of NumPy, except that a float
 * that an integer cannot hold becomes the nearest value that it can hold, and NaN becomes 0. Reads
 * as many numbers as `to` has room for.
 */
export function convertNumbers(to: Uint8Array, from: Uint8Array, conversion: Conversion): void {
  const [read, write] = [READERS[partOf(conversion.from)], WRITERS[partOf(conversion.to)]];
  const source = new DataView(from.buffer, from.byteOffset, from.byteLength);
  const target = new DataView(to.buffer, to.byteOffset, to.byteLength);
  const [isLittle, isComplex] = [!conversion.swapsSource, isPair(conversion.from)];
  const imaginary = wordSize(conversion.from);
  const size = sizeOf(conversion.from);
  const littleTarget = !conversion.swapsDestination;
  const count = to.byteLength / sizeOf(conversion.to);
  for (let i = 0; i < count; i++) {
    const at = i * size;
    const real = whole(read(source, at, isLittle), conversion);
    const other = isComplex ? read(source, at + imaginary, isLittle) : 0;
    writeNumber(write, target, i, conversion.to, littleTarget, real, other);
  }
}

/** Rounds a number, if the conversion rounds. */
function whole(value: Value, { rounds }: Conversion): Value {
  return rounds && typeof value === 'number' ? roundToEven(value) : value;
}

function writeNumber(
  write: Write,
  target: DataView,
  index: number,
  type: NumberType,
  isLittle: boolean,
  real: Value,
  imaginary: Value,
): void {
  const at = index * sizeOf(type);
  if (type === 'b1') {
    target.setUint8(at, isZero(real) && isZero(imaginary) ? 0 : 1);
    return;
  }
  write(target, at, real, isLittle);
  if (isPair(type)) write(target, at + wordSize(type), imaginary, isLittle);
}

/** Zero, of either sign. NaN is not. */
function isZero(value: Value): boolean {
  return typeof value === 'bigint' ? value === 0n : value === 0;
}

function isPair(type: NumberType): boolean {
  return type === 'c8' || type === 'c16';
}

/** The float type of a complex number's parts, or any other type unchanged. */
function partOf(type: NumberType): Part {
  if (type === 'c8') return 'f4';
  return type === 'c16' ? 'f8' : type;
}

type Part = Exclude<NumberType, 'c8' | 'c16'>;
type Read = (view: DataView, at: number, isLittle: boolean) => Value;
type Write = (view: DataView, at: number, value: Value, isLittle: boolean) => void;

const READERS: Readonly<Record<Part, Read>> = {
  b1: (view, at) => (view.getUint8(at) === 0 ? 0n : 1n),
  i1: (view, at) => BigInt(view.getInt8(at)),
  i2: (view, at, isLittle) => BigInt(view.getInt16(at, isLittle)),
  i4: (view, at, isLittle) => BigInt(view.getInt32(at, isLittle)),
  i8: (view, at, isLittle) => view.getBigInt64(at, isLittle),
  u1: (view, at) => BigInt(view.getUint8(at)),
  u2: (view, at, isLittle) => BigInt(view.getUint16(at, isLittle)),
  u4: (view, at, isLittle) => BigInt(view.getUint32(at, isLittle)),
  u8: (view, at, isLittle) => view.getBigUint64(at, isLittle),
  f2: (view, at, isLittle) => floatOfHalf(view.getUint16(at, isLittle)),
  bf2: (view, at, isLittle) => floatOfBits(view.getUint16(at, isLittle) << 16),
  f4: (view, at, isLittle) => view.getFloat32(at, isLittle),
  f8: (view, at, isLittle) => view.getFloat64(at, isLittle),
};

const WRITERS: Readonly<Record<Part, Write>> = {
  b1: (view, at, value) => view.setUint8(at, isZero(value) ? 0 : 1),
  i1: (view, at, value) => view.setUint8(at, low(value, 8, true)),
  i2: (view, at, value, isLittle) => view.setUint16(at, low(value, 16, true), isLittle),
  i4: (view, at, value, isLittle) => view.setUint32(at, low(value, 32, true), isLittle),
  i8: (view, at, value, isLittle) => view.setBigInt64(at, integer(value, 64, true), isLittle),
  u1: (view, at, value) => view.setUint8(at, low(value, 8, false)),
  u2: (view, at, value, isLittle) => view.setUint16(at, low(value, 16, false), isLittle),
  u4: (view, at, value, isLittle) => view.setUint32(at, low(value, 32, false), isLittle),
  u8: (view, at, value, isLittle) => view.setBigUint64(at, integer(value, 64, false), isLittle),
  f2: (view, at, value, isLittle) => view.setUint16(at, halfOf(beforeFloat(value)), isLittle),
  bf2: (view, at, value, isLittle) => view.setUint16(at, bfloatOf(beforeFloat(value)), isLittle),
  f4: (view, at, value, isLittle) => view.setFloat32(at, beforeFloat(value), isLittle),
  f8: (view, at, value, isLittle) => view.setFloat64(at, Number(value), isLittle),
};

function low(value: Value, bits: number, isSigned: boolean): number {
  return Number(BigInt.asUintN(32, integer(value, bits, isSigned)));
}

/** Integers wrap around; floats are truncated and clamped. */
function integer(value: Value, bits: number, isSigned: boolean): bigint {
  if (typeof value === 'bigint') return value;
  if (Number.isNaN(value)) return 0n;
  const least = isSigned ? -(2n ** BigInt(bits - 1)) : 0n;
  const most = least + 2n ** BigInt(bits) - 1n;
  if (value <= Number(least)) return least;
  return value >= Number(most) ? most : BigInt(Math.trunc(value));
}

/**
 * Returns a double that rounds to the same shorter float as the value. A double cannot hold every
 * integer of 64 bits, and rounding twice could end at another float: the last digit is made odd if
 * digits are lost.
 */
function beforeFloat(value: Value): number {
  if (typeof value === 'number') return value;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  const kept = value >> 11n;
  return Number(kept << 11n === value ? kept : kept | 1n) * 2048;
}

const bits = new DataView(new ArrayBuffer(4));

function floatOfBits(value: number): number {
  bits.setInt32(0, value);
  return bits.getFloat32(0);
}

function floatOfHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const digits = half & 0x3ff;
  if (exponent === 0) return sign * digits * 2 ** -24;
  if (exponent === 0x1f) return digits === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1024 + digits) * 2 ** (exponent - 25);
}

function halfOf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65520) return sign | 0x7c00; // halfway from the largest half to the next, if it existed
  const estimate = Math.max(Math.floor(Math.log2(size)), -14);
  const exponent = estimate > -14 && size < 2 ** estimate ? estimate - 1 : estimate;
  const digits = roundToEven(size / 2 ** (exponent - 10));
  return sign | (digits + (exponent + 14) * 1024); // the leading digit adds 1 to the exponent
}

function bfloatOf(value: number): number {
  if (Number.isNaN(value)) return 0x7fc0;
  bits.setFloat32(0, value);
  const word = bits.getUint32(0);
  return ((word + 0x7fff + ((word >>> 16) & 1)) >>> 16) & 0xffff;
}
