import type { DType } from '../dtype/dtype.js';
import { dtype } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { badArgument } from '../input/argument.js';
import { readInteger, toCount } from '../input/integer.js';
import { type NumberType, numberType, sizeOf } from '../numbers/conversion.js';
import { convertNumbers } from '../numbers/convert-numbers.js';
import type { Sequence } from './sequence.js';

/** The three numbers of a range. */
export interface Range {
  readonly start: number | bigint;
  readonly stop: number | bigint;
  readonly step: number | bigint;
}

/** Integers up to here are exact as doubles, and so are differences of two. */
const EXACT = 2n ** 52n;

/** Reads one number as `stop`, two as `start` and `stop`, three with `step`. Checks none of them. */
export function rangeOf(numbers: readonly unknown[]): Range {
  const [first, second, step = 1] = numbers as readonly (number | bigint | undefined)[];
  const range = second === undefined ? { start: 0, stop: first } : { start: first, stop: second };
  return { ...range, step } as Range;
}

/** Returns the dtype of a range without one: int64 for bigints, else float64. */
export function typeOf({ start, stop, step }: Range): DType {
  const hasBigInt = [start, stop, step].some((value) => typeof value === 'bigint');
  return dtype(hasBigInt ? 'int64' : 'float64');
}

/**
 * Returns the numbers of NumPy's `arange`: as many, and with the same rounding in the dtype. Throws
 * ERR_ARGUMENT, ERR_TYPE for an integer dtype whose numbers have fractions, ERR_OVERFLOW for
 * numbers that the dtype cannot hold, ERR_DTYPE_UNSUPPORTED for a dtype without such numbers.
 */
export function arange(range: Range, type: DType): Sequence {
  for (const [path, value] of Object.entries(range)) {
    if (typeof value === 'bigint' || typeof value === 'number') continue;
    throw badArgument(path, 'a number', value);
  }
  // biome-ignore lint/suspicious/noDoubleEquals: compares a number or a bigint with 0
  if (range.step == 0) throw badArgument('step', 'a step other than 0', range.step);
  const length = lengthOf(range);
  const kind = numberType(type);
  if (kind === null || kind === 'b1') {
    const expected = 'a dtype of integers or floats';
    throw mismatch('ERR_DTYPE_UNSUPPORTED', 'dtype', expected, type.name ?? type.typestr);
  }
  return type.kind === 'i' || type.kind === 'u'
    ? integers(range, type, length)
    : floats(range, kind, length);
}

/** ceil((stop - start) / step), as NumPy computes it. Never negative. */
function lengthOf({ start, stop, step }: Range): number {
  const isExact = [start, stop, step].every(
    (value) => typeof value === 'bigint' || Number.isSafeInteger(value),
  );
  if (isExact) {
    const [distance, by] = [BigInt(stop) - BigInt(start), BigInt(step)];
    const whole = distance / by;
    const length = whole * by !== distance && distance > 0n === by > 0n ? whole + 1n : whole;
    return length > 0n ? toCount(length, 'stop') : 0;
  }
  const distance = Number(stop) - Number(start);
  const ratio = distance / Number(step);
  // A ratio that underflows is still one step, or less than none.
  const length = ratio === 0 && distance !== 0 ? (Object.is(ratio, -0) ? 0 : 1) : Math.ceil(ratio);
  if (length <= 0) return 0;
  if (Number.isSafeInteger(length)) return length;
  const got = `${show(start)}, ${show(stop)} and ${show(step)}`;
  throw mismatch('ERR_OVERFLOW', 'stop', 'a range of at most 2^53 - 1 numbers', got);
}

function integers({ start, step }: Range, type: DType, length: number): Sequence {
  const first = readInteger(start, 'start');
  const by = readInteger(step, 'step');
  const last = first + by * BigInt(Math.max(0, length - 1));
  if (length > 0) {
    assertHolds(type, first);
    assertHolds(type, last);
  }
  const isExact = [first, last, by].every((value) => value > -EXACT && value < EXACT);
  if (!isExact) {
    const elements = type.kind === 'i' ? 'int64' : 'uint64';
    return {
      length,
      elements,
      write(array, from): void {
        const all = array as BigInt64Array;
        let value = first + by * BigInt(from);
        for (let i = 0; i < all.length; i++, value += by) all[i] = value;
      },
    };
  }
  const [begin, delta] = [Number(first), Number(by)];
  return {
    length,
    elements: 'float64',
    write(array, from): void {
      for (let i = 0; i < array.length; i++) array[i] = begin + (from + i) * delta;
    },
  };
}

/** Throws ERR_OVERFLOW unless an integer dtype can hold a whole number; NaN and infinities are none. */
export function assertHolds(type: DType, value: number | bigint): void {
  const bits = type.itemsize * 8;
  const whole = typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value) : null;
  const held = whole !== null && (type.kind === 'i' ? BigInt.asIntN : BigInt.asUintN)(bits, whole);
  if (held === whole) return;
  throw mismatch('ERR_OVERFLOW', 'dtype', `a dtype that holds ${value}`, type.typestr);
}

/**
 * NumPy rounds the first two numbers to the dtype, and computes the others from these: doubles as
 * doubles, all shorter ones as float32.
 */
function floats({ start, step }: Range, type: NumberType, length: number): Sequence {
  const [given, by] = [Number(start), Number(step)];
  const first = rounded(given, type);
  const second = rounded(given + by, type);
  if (type === 'f8' || type === 'c16') {
    const delta = second - first;
    return { length, elements: 'float64', write: writer(second, (i) => first + i * delta) };
  }
  const { fround } = Math;
  const delta = fround(second - first);
  const at = (i: number) => fround(first + fround(fround(i) * delta));
  return { length, elements: 'float32', write: writer(second, at) };
}

function writer(second: number, at: (index: number) => number): Sequence['write'] {
  return (elements, from) => {
    for (let i = 0; i < elements.length; i++) elements[i] = at(from + i);
    const place = 1 - from;
    if (place >= 0 && place < elements.length) elements[place] = second;
  };
}

/** Returns the number nearest to a value that a float of this type holds. */
function rounded(value: number, type: NumberType): number {
  const part = type === 'c16' ? 'f8' : type === 'c8' ? 'f4' : type;
  const bytes = new Uint8Array(sizeOf(part));
  const double = new Float64Array([value]);
  const swaps = { swapsSource: false, swapsDestination: false, rounds: false };
  convertNumbers(bytes, new Uint8Array(double.buffer), { from: 'f8', to: part, ...swaps });
  convertNumbers(new Uint8Array(double.buffer), bytes, { from: part, to: 'f8', ...swaps });
  return double[0] as number;
}
