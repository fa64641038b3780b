import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { DType } from '../dtype/dtype.js';
import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { broadcastNamed } from '../views/broadcast.js';
import { type FloatFormat, float16, float32, float64 } from './float-format.js';
import {
  type ComplexNumber,
  type ElementValue,
  elementReader,
  floatFormat,
  isComplex,
  type ReadElement,
} from './read-element.js';

/** How far numbers may be apart. */
export interface Tolerance {
  /** The relative tolerance: times the size of the second number. Default: 1e-5. */
  readonly rtol: number;
  /** The absolute tolerance, added to that. Default: 1e-8. */
  readonly atol: number;
  /** Whether NaN is close to NaN. Default: false. */
  readonly equalNaN: boolean;
}

/** NumPy's own. */
export const USUAL_TOLERANCE: Tolerance = { rtol: 1e-5, atol: 1e-8, equalNaN: false };

/** Bytes of the float that holds each integer of a size, as NumPy promotes them. */
const FLOAT_OF_INTEGER: Readonly<Record<number, number>> = { 1: 2, 2: 4, 4: 8, 8: 8 };
const FORMATS: Readonly<Record<number, FloatFormat>> = { 2: float16, 4: float32, 8: float64 };

/**
 * Returns whether all numbers of two arrays in JavaScript memory are close, in the arithmetic in
 * which NumPy's `allclose` computes it. Throws ERR_SHAPE_MISMATCH, and ERR_DTYPE_UNSUPPORTED for
 * anything but numbers.
 */
export function allClose(a: ArrayDescriptor, b: ArrayDescriptor, tolerance: Tolerance): boolean {
  assertNumbers(a.dtype, 'a');
  assertNumbers(b.dtype, 'b');
  const [left, right] = broadcastNamed([a, b], ['a', 'b']) as [ArrayDescriptor, ArrayDescriptor];
  const isClose = closeness(a.dtype, b.dtype, tolerance);
  const [readLeft, readRight] = [readerOf(left), readerOf(right)];
  const walk = (axis: number, at: number, beside: number): boolean => {
    if (axis === left.ndim) return isClose(readLeft(at), readRight(beside));
    const [step, stepBeside] = [left.byteStrides[axis], right.byteStrides[axis]];
    for (let i = 0; i < (left.shape[axis] as number); i++) {
      const next = at + i * (step as number);
      if (!walk(axis + 1, next, beside + i * (stepBeside as number))) return false;
    }
    return true;
  };
  return left.size === 0 || walk(0, Number(left.pointer), Number(right.pointer));
}

/** Throws ERR_DTYPE_UNSUPPORTED for anything but numbers and bools. */
export function assertNumbers(dtype: DType, path: string): void {
  const isNumber = 'biu'.includes(dtype.kind) || floatFormat(dtype) !== null;
  if (dtype.fields === null && isNumber) return;
  throw notNumbers(dtype, path);
}

function notNumbers({ typestr }: DType, path: string): ArrayInterfaceError {
  const cure = 'compare the fields of records one by one';
  return mismatch('ERR_DTYPE_UNSUPPORTED', path, 'an array of numbers', typestr, cure);
}

function readerOf({ dtype, buffer }: ArrayDescriptor): (offset: number) => ElementValue {
  const view = new DataView(buffer as ArrayBuffer);
  const read: ReadElement = elementReader(dtype);
  return (offset) => read(view, offset);
}

function closeness(
  a: DType,
  b: DType,
  { rtol, atol, equalNaN }: Tolerance,
): (left: ElementValue, right: ElementValue) => boolean {
  const sizeOfLimit = partBytes(b) ?? 8; // integers become float64 on this side alone
  const ofLimit = (FORMATS[sizeOfLimit] as FloatFormat).round;
  const ofDifference = (FORMATS[Math.max(bytesBeside(a), sizeOfLimit)] as FloatFormat).round;
  const [factor, term] = [ofLimit(rtol), ofLimit(atol)];
  const isOfNumbers = !isComplex(a) && !isComplex(b);
  const limitOf = (size: number) => ofLimit(term + ofLimit(factor * size));
  if (isOfNumbers) {
    return (left, right) => {
      const [x, y] = [Number(left), Number(right)];
      if (x === y || (equalNaN && Number.isNaN(x) && Number.isNaN(y))) return true;
      return Number.isFinite(y) && Math.abs(ofDifference(x - y)) <= limitOf(Math.abs(y));
    };
  }
  const size = (re: number, im: number, round: FloatFormat['round']) => round(Math.hypot(re, im));
  return (left, right) => {
    const [x, y] = [complexOf(left), complexOf(right)];
    if (x.re === y.re && x.im === y.im) return true;
    if (equalNaN && hasNaN(x) && hasNaN(y)) return true;
    if (!Number.isFinite(y.re) || !Number.isFinite(y.im)) return false;
    const [re, im] = [ofDifference(x.re - y.re), ofDifference(x.im - y.im)];
    return size(re, im, ofDifference) <= limitOf(size(y.re, y.im, ofLimit));
  };
}

/** The bytes of a float, or of a part of a complex number. Null for integers and bools. */
function partBytes(dtype: DType): number | null {
  const format = floatFormat(dtype);
  if (format === null) return null;
  if (dtype.kind === 'V') return 4; // NumPy has no arithmetic of its own for these
  return dtype.kind === 'c' ? dtype.itemsize / 2 : dtype.itemsize;
}

/** The bytes of the float that numbers of a dtype become beside floats. */
function bytesBeside(dtype: DType): number {
  const own = partBytes(dtype);
  if (own !== null) return own;
  return dtype.kind === 'b' ? 2 : (FLOAT_OF_INTEGER[dtype.itemsize] as number);
}

function complexOf(value: ElementValue): ComplexNumber {
  return typeof value === 'object' ? (value as ComplexNumber) : { re: Number(value), im: 0 };
}

function hasNaN({ re, im }: ComplexNumber): boolean {
  return Number.isNaN(re) || Number.isNaN(im);
}
