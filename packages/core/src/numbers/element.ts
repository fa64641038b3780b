import type { DType } from '../dtype/dtype.js';
import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import type { Casting } from './casting.js';
import { type Rounding, wholeOf } from './rounding.js';

/** How a number becomes an element that may not hold it exactly. */
export interface ElementCast {
  /** `unsafe` accepts any number for an integer dtype. Default: only exact ones. */
  readonly casting?: Casting;
  /** How `unsafe` makes integers of floats. Default: `truncate`. */
  readonly rounding?: Rounding;
}

/**
 * Writes one number as an element of `dtype` at `offset`: a bool, an integer in range, a float, or
 * a complex number with imaginary part 0. Throws ERR_TYPE or ERR_OVERFLOW for a value that the
 * dtype cannot hold. Throws ERR_DTYPE_UNSUPPORTED for a dtype without numbers.
 */
export function writeElement(
  view: DataView,
  offset: number,
  dtype: DType,
  value: number | bigint | boolean,
  { casting, rounding }: ElementCast = {},
): void {
  const little = dtype.byteOrder !== 'big';
  const half = dtype.itemsize / 2;
  switch (dtype.kind) {
    case 'b':
      view.setUint8(offset, value || Number.isNaN(value) ? 1 : 0); // NaN is true, as in NumPy
      break;
    case 'i':
    case 'u':
      writeInteger(
        view,
        offset,
        dtype,
        casting === 'unsafe' ? nearest(value, dtype, rounding) : integer(value, dtype),
        little,
      );
      break;
    case 'f':
      writeFloat(view, offset, dtype, dtype.itemsize, Number(value), little);
      break;
    case 'c':
      writeFloat(view, offset, dtype, half, Number(value), little);
      writeFloat(view, offset + half, dtype, half, 0, little);
      break;
    default:
      throw unsupported(dtype);
  }
}

function integer(value: number | bigint | boolean, dtype: DType): bigint {
  if (typeof value === 'number' && !Number.isInteger(value)) {
    throw mismatch('ERR_TYPE', 'value', `an integer for ${dtype.typestr}`, value, 'round it first');
  }
  const exact = BigInt(value);
  if (wrapped(exact, dtype) === exact) return exact;
  throw mismatch('ERR_OVERFLOW', 'value', `a value that ${dtype.typestr} can hold`, exact);
}

/**
 * Returns what an `unsafe` copy makes of a value. A bigint wraps around, as integers do. A number
 * is truncated or rounded, and clamped to the dtype's range; NaN becomes 0.
 */
function nearest(
  value: number | bigint | boolean,
  dtype: DType,
  rounding: Rounding | undefined,
): bigint {
  if (typeof value === 'bigint') return wrapped(value, dtype);
  const bits = BigInt(dtype.itemsize * 8);
  const low = dtype.kind === 'i' ? -(2n ** (bits - 1n)) : 0n;
  const high = low + 2n ** bits - 1n;
  const number = wholeOf(Number(value), rounding) || 0; // 0 for NaN
  if (number <= Number(low)) return low;
  return number >= Number(high) ? high : BigInt(number);
}

/** Returns the value modulo the range of an integer dtype: the same one if the dtype can hold it. */
function wrapped(value: bigint, { kind, itemsize }: DType): bigint {
  return (kind === 'i' ? BigInt.asIntN : BigInt.asUintN)(itemsize * 8, value);
}

function writeInteger(
  view: DataView,
  offset: number,
  dtype: DType,
  value: bigint,
  little: boolean,
): void {
  const low = Number(BigInt.asUintN(32, value));
  if (dtype.itemsize === 8) view.setBigUint64(offset, BigInt.asUintN(64, value), little);
  else if (dtype.itemsize === 4) view.setUint32(offset, low, little);
  else if (dtype.itemsize === 2) view.setUint16(offset, low, little);
  else view.setUint8(offset, low);
}

function writeFloat(
  view: DataView,
  offset: number,
  dtype: DType,
  itemsize: number,
  value: number,
  little: boolean,
): void {
  if (itemsize === 8) view.setFloat64(offset, value, little);
  else if (itemsize === 4) view.setFloat32(offset, value, little);
  else throw unsupported(dtype);
}

function unsupported(dtype: DType): ArrayInterfaceError {
  return mismatch(
    'ERR_DTYPE_UNSUPPORTED',
    'dtype',
    'a dtype that a JavaScript number can fill',
    dtype.typestr,
    'copy from an ArrayBuffer that holds its bytes instead',
  );
}
