import type { DType, RecordField } from '../dtype/dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { type FloatFormat, float16, float32, float64, NAMED_FORMATS } from './float-format.js';

/** A complex number. */
export interface ComplexNumber {
  /** Real part. */
  readonly re: number;
  /** Imaginary part. */
  readonly im: number;
}

/** A record: its fields by name. The value of a sub-array is nested lists. */
export interface RecordValue {
  /** The value of a field. */
  readonly [field: string]: NestedElements;
}

/**
 * An element as JavaScript has it. A bigint for 64-bit integers and for dates and durations, which
 * are counts of their unit. A string for text, one character for each byte of a byte string. The
 * bytes of opaque elements.
 */
export type ElementValue =
  | number
  | bigint
  | boolean
  | string
  | ComplexNumber
  | RecordValue
  | Uint8Array;

/** Elements in nested lists, one level for each axis. Without axes, the element itself. */
export type NestedElements = ElementValue | NestedElements[];

/** Returns the element at an offset in bytes. */
export type ReadElement = (view: DataView, offset: number) => ElementValue;

/** The most that a text of one element can hold; a character of Unicode has at most 21 bits. */
const LAST_CHARACTER = 0x10ffff;

/**
 * Returns the function that reads elements of a dtype. Throws ERR_DTYPE_UNSUPPORTED for extended
 * precision, and for several numbers in one byte.
 */
export function elementReader(dtype: DType): ReadElement {
  const { kind, itemsize, fields } = dtype;
  const isLittle = dtype.byteOrder !== 'big';
  if (fields !== null) return recordReader(fields);
  switch (kind) {
    case 'b':
      return (view, offset) => view.getUint8(offset) !== 0;
    case 'i':
    case 'u':
      return integerReader(kind === 'i', itemsize, isLittle);
    case 'm':
    case 'M':
      return (view, offset) => view.getBigInt64(offset, isLittle);
    case 'S':
      return (view, offset) => byteString(bytesAt(view, offset, itemsize));
    case 'U':
      return (view, offset) => characters(view, offset, itemsize, isLittle);
  }
  const format = floatFormat(dtype);
  if (format === null && (kind !== 'V' || dtype.name === 'float4_e2m1fn_x2')) {
    throw unsupported(dtype);
  }
  if (format === null) return (view, offset) => bytesAt(view, offset, itemsize).slice();
  if (!isComplex(dtype)) return (view, offset) => format.read(view, offset, isLittle);
  return (view, offset) => ({
    re: format.read(view, offset, isLittle),
    im: format.read(view, offset + itemsize / 2, isLittle),
  });
}

/** Returns whether elements are complex numbers. */
export function isComplex({ kind, name }: DType): boolean {
  return kind === 'c' || name === 'complex32';
}

/** Returns the format of floats, and of the parts of complex numbers. Null if there is none. */
export function floatFormat({ kind, itemsize, name }: DType): FloatFormat | null {
  if (name === 'complex32') return float16;
  if (kind === 'V' && name !== undefined) return NAMED_FORMATS[name] ?? null;
  if (kind !== 'f' && kind !== 'c') return null;
  const size = kind === 'c' ? itemsize / 2 : itemsize;
  return { 2: float16, 4: float32, 8: float64 }[size] ?? null;
}

function integerReader(isSigned: boolean, itemsize: number, isLittle: boolean): ReadElement {
  switch (itemsize) {
    case 1:
      return (view, at) => (isSigned ? view.getInt8(at) : view.getUint8(at));
    case 2:
      return (view, at) => (isSigned ? view.getInt16(at, isLittle) : view.getUint16(at, isLittle));
    case 4:
      return (view, at) => (isSigned ? view.getInt32(at, isLittle) : view.getUint32(at, isLittle));
    default:
      return (view, at) =>
        isSigned ? view.getBigInt64(at, isLittle) : view.getBigUint64(at, isLittle);
  }
}

function recordReader(fields: readonly RecordField[]): ReadElement {
  const readers = fields.map(({ name, offset, shape, dtype }) => {
    const read = elementReader(dtype);
    const byName = (view: DataView, at: number): [string, NestedElements] => [
      name,
      nest(shape, dtype.itemsize, view, at + offset, read),
    ];
    return byName;
  });
  // `fromEntries` makes a property of any name, `__proto__` included.
  return (view, at) => Object.fromEntries(readers.map((read) => read(view, at)));
}

/** Returns dense elements in C order as nested lists. */
export function nest(
  shape: readonly number[],
  itemsize: number,
  view: DataView,
  offset: number,
  read: ReadElement,
): NestedElements {
  let at = offset;
  const level = (axis: number): NestedElements => {
    if (axis === shape.length) {
      const element = read(view, at);
      at += itemsize;
      return element;
    }
    const list: NestedElements[] = [];
    for (let i = 0; i < (shape[axis] as number); i++) list.push(level(axis + 1));
    return list;
  };
  return level(0);
}

function bytesAt(view: DataView, offset: number, length: number): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset + offset, length);
}

/** Zeros at the end are padding, as NumPy takes them. */
function byteString(bytes: Uint8Array): string {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return Array.from(bytes.subarray(0, end), (byte) => String.fromCharCode(byte)).join('');
}

function characters(view: DataView, offset: number, itemsize: number, isLittle: boolean): string {
  const codes = Array.from({ length: itemsize / 4 }, (_, at) =>
    view.getUint32(offset + at * 4, isLittle),
  );
  while (codes.at(-1) === 0) codes.pop();
  return codes
    .map((code) => (code > LAST_CHARACTER ? '\ufffd' : String.fromCodePoint(code)))
    .join('');
}

function unsupported({ typestr, name }: DType) {
  return mismatch(
    'ERR_DTYPE_UNSUPPORTED',
    'dtype',
    'elements that JavaScript has values for',
    name ?? typestr,
    'take their bytes with view()',
  );
}
