import { type DType, sameDType } from '../dtype/dtype.js';
import type { Rounding } from './rounding.js';

/** The numbers that copies convert between, as in typestrs; `bf2` is bfloat16. */
export type NumberType =
  | 'b1'
  | 'i1'
  | 'i2'
  | 'i4'
  | 'i8'
  | 'u1'
  | 'u2'
  | 'u4'
  | 'u8'
  | 'f2'
  | 'bf2'
  | 'f4'
  | 'f8'
  | 'c8'
  | 'c16';

/** The size of each number in bytes, in the order of `ElementType` in C++. */
const SIZES: Readonly<Record<NumberType, number>> = {
  b1: 1,
  i1: 1,
  i2: 2,
  i4: 4,
  i8: 8,
  u1: 1,
  u2: 2,
  u4: 4,
  u8: 8,
  f2: 2,
  bf2: 2,
  f4: 4,
  f8: 8,
  c8: 8,
  c16: 16,
};

/** In the order of `ElementType` in C++. */
export const NUMBER_TYPES = Object.keys(SIZES) as readonly NumberType[];

/** By the kind and the size of a dtype, so that a small copy makes no string. */
const BY_KIND: Record<string, Record<number, NumberType>> = {
  b: { 1: 'b1' },
  i: { 1: 'i1', 2: 'i2', 4: 'i4', 8: 'i8' },
  u: { 1: 'u1', 2: 'u2', 4: 'u4', 8: 'u8' },
  f: { 2: 'f2', 4: 'f4', 8: 'f8' },
  c: { 8: 'c8', 16: 'c16' },
};

/** How a copy changes each element: to another type of number, or another byte order. */
export interface Conversion {
  /** The type of the source's numbers. */
  readonly from: NumberType;
  /** The type of the destination's numbers. */
  readonly to: NumberType;
  /** Whether the bytes of the source must be swapped. */
  readonly swapsSource: boolean;
  /** Whether the bytes of the destination must be swapped. */
  readonly swapsDestination: boolean;
  /** Whether floats become the nearest integer, ties to even. False: their fraction is cut off. */
  readonly rounds: boolean;
}

/** The numbers of one element: `count` consecutive ones, each converted. */
export interface ElementChange {
  readonly conversion: Conversion;
  readonly count: number;
}

/** Returns the type of number of the elements. Null for dates, text, opaque bytes and records. */
export function numberType(dtype: DType): NumberType | null {
  if (dtype.name === 'bfloat16') return 'bf2';
  return BY_KIND[dtype.kind]?.[dtype.itemsize] ?? null;
}

/** Returns the size of one number in bytes. */
export function sizeOf(type: NumberType): number {
  return SIZES[type];
}

/**
 * Returns the bytes that a kernel reads or writes at once: those of one part of a complex number.
 */
export function wordSize(type: NumberType): number {
  return sizeOf(type) / (type.startsWith('c') ? 2 : 1);
}

/**
 * Returns what a copy does to each element. Null: the bytes are unchanged. Undefined: no such
 * conversion exists. Elements that differ only in byte order keep their bits. `rounding` concerns
 * floats, and the real parts of complex numbers, that become integers; bools are not integers.
 */
export function elementChange(
  to: DType,
  from: DType,
  rounding?: Rounding,
): ElementChange | null | undefined {
  if (sameDType(to, from)) return null;
  const swapped = swappedWords(to, from);
  if (swapped !== null) {
    const word = `u${swapped.size}` as NumberType;
    const swap = { swapsSource: true, swapsDestination: false, rounds: false };
    const conversion = { from: word, to: word, ...swap };
    return { conversion, count: swapped.count };
  }
  const [target, source] = [numberType(to), numberType(from)];
  if (target === null || source === null) return undefined;
  const swapsSource = from.byteOrder === 'big';
  const swapsDestination = to.byteOrder === 'big';
  const rounds = rounding === 'nearest' && isFloat(source) && isInteger(target);
  const conversion = { from: source, to: target, swapsSource, swapsDestination, rounds };
  return { conversion, count: 1 };
}

function isFloat(type: NumberType): boolean {
  return /[fc]/.test(type);
}

function isInteger(type: NumberType): boolean {
  return /[iu]/.test(type);
}

/** Returns the words to be swapped if the two dtypes differ only in byte order, else null. */
function swappedWords(to: DType, from: DType): { size: number; count: number } | null {
  if (to.fields !== null || from.fields !== null || to.byteOrder === from.byteOrder) return null;
  if (to.typestr.slice(1) !== from.typestr.slice(1)) return null;
  const size = to.kind === 'U' ? 4 : to.kind === 'c' ? to.itemsize / 2 : to.itemsize;
  return size <= 8 ? { size, count: to.itemsize / size } : null;
}
