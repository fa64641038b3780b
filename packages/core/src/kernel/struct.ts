import type { DType, RecordField } from '../dtype/dtype.js';
import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { guarded, isList } from '../input/dict.js';
import { at } from '../input/integer.js';
import { type NumberValue, readNumber, writeNumber } from './number.js';
import type { NumberName } from './parameter.js';

/** The most bytes that every GPU takes as parameters. */
const MOST_BYTES = 4096;
/** Bytes of a double, the longest float that code takes. */
const DOUBLE = 8;
/** The names of types begin with these, which the number of bits follows. */
const PREFIXES = { i: 'int', u: 'uint', f: 'float' } as const;

/** The fields of a struct as JavaScript has them. */
export type Fields = { [name: string]: FieldValue };
type FieldValue = NumberValue | Fields | FieldValue[];

/**
 * Checks that code can take a dtype as a struct by value: a record of numbers in native byte order,
 * of records and of sub-arrays. Throws ERR_ARGUMENT, ERR_OVERFLOW.
 */
export function checkStruct({ fields, itemsize, name, typestr }: DType, path: string): void {
  if (fields === null) {
    const expected = "a struct's fields, such as [['x', 'float32'], ['n', 'int32']]";
    throw mismatch('ERR_ARGUMENT', path, expected, name ?? typestr);
  }
  if (itemsize > MOST_BYTES) {
    throw mismatch(
      'ERR_OVERFLOW',
      path,
      `at most ${MOST_BYTES} bytes by value`,
      itemsize,
      'pass an array',
    );
  }
  for (const { name: own, dtype } of fields) {
    if (dtype.fields === null) typeOf(dtype, `${path}.${own}`);
    else checkStruct(dtype, `${path}.${own}`);
  }
}

function typeOf({ kind, itemsize, byteOrder, typestr }: DType, path: string): NumberName {
  if (kind === 'b') return 'bool';
  const isFloat = kind === 'f' && itemsize <= DOUBLE;
  if ((isFloat || kind === 'i' || kind === 'u') && byteOrder !== 'big') {
    return `${PREFIXES[kind as keyof typeof PREFIXES]}${itemsize * 8}` as NumberName;
  }
  const expected = 'bools, integers and floats in native byte order';
  throw mismatch('ERR_ARGUMENT', path, expected, typestr, 'take its bytes as uint8');
}

/**
 * Returns the bytes of a struct; padding is 0. Reads each property of the caller's object once.
 * Throws ERR_ARGUMENT for other fields or lengths, ERR_TYPE, ERR_OVERFLOW.
 */
export function encodeStruct(dtype: DType, value: unknown, path: string): Uint8Array {
  const bytes = new Uint8Array(dtype.itemsize);
  writeRecord(new DataView(bytes.buffer), 0, dtype, value, path);
  return bytes;
}

/** Reads a struct that `encodeStruct` wrote, as a new object. */
export function decodeStruct(view: DataView, offset: number, dtype: DType): Fields {
  const entries = (dtype.fields as readonly RecordField[]).map((field) => [
    field.name,
    readNested(view, offset + field.offset, field, 0),
  ]);
  return Object.fromEntries(entries);
}

function writeRecord(
  view: DataView,
  offset: number,
  dtype: DType,
  value: unknown,
  path: string,
): void {
  const fields = dtype.fields as readonly RecordField[];
  if (typeof value !== 'object' || value === null || isList(value, path)) {
    throw mismatch('ERR_TYPE', path, `an object with ${namesOf(fields)}`, show(value));
  }
  const given = guarded('ERR_ARGUMENT', path, () => new Map(Object.entries(value)));
  for (const field of fields) {
    const own = given.get(field.name);
    if (own === undefined)
      throw wrongField(path, `a value for each of ${namesOf(fields)}`, 'none', field.name);
    given.delete(field.name);
    writeNested(view, offset + field.offset, field, 0, own, `${path}.${field.name}`);
  }
  for (const other of given.keys()) {
    throw wrongField(path, `one of the fields ${namesOf(fields)}`, other, other);
  }
}

function wrongField(
  path: string,
  expected: string,
  got: string,
  name: string,
): ArrayInterfaceError {
  return mismatch('ERR_ARGUMENT', `${path}.${name}`, expected, got);
}

function namesOf(fields: readonly RecordField[]): string {
  return fields.map(({ name }) => name).join(', ');
}

function writeNested(
  view: DataView,
  offset: number,
  field: RecordField,
  axis: number,
  value: unknown,
  path: string,
): void {
  const { dtype, shape } = field;
  if (axis === shape.length) {
    if (dtype.fields !== null) writeRecord(view, offset, dtype, value, path);
    else writeNumber(view, offset, typeOf(dtype, path), value, path);
    return;
  }
  const step = stepAlong(field, axis);
  entriesOf(value, shape[axis] as number, path).forEach((entry, index) => {
    writeNested(view, offset + index * step, field, axis + 1, entry, at(path, index));
  });
}

function readNested(view: DataView, offset: number, field: RecordField, axis: number): FieldValue {
  const { dtype, shape } = field;
  if (axis < shape.length) {
    const step = stepAlong(field, axis);
    return Array.from({ length: shape[axis] as number }, (_, index) =>
      readNested(view, offset + index * step, field, axis + 1),
    );
  }
  if (dtype.fields !== null) return decodeStruct(view, offset, dtype);
  return readNumber(view, offset, typeOf(dtype, field.name));
}

/** Bytes from one entry of a sub-array's axis to the next. */
function stepAlong({ dtype, shape }: RecordField, axis: number): number {
  return shape.slice(axis + 1).reduce((bytes, length) => bytes * length, dtype.itemsize);
}

/** Reads the entries of a list or typed array once. Throws ERR_TYPE, ERR_ARGUMENT. */
function entriesOf(value: unknown, count: number, path: string): readonly unknown[] {
  const isTyped = ArrayBuffer.isView(value) && !(value instanceof DataView);
  if (!isTyped && !isList(value, path)) {
    throw mismatch('ERR_TYPE', path, `a list of ${count}`, show(value));
  }
  const list = value as ArrayLike<unknown>;
  const length = guarded('ERR_ARGUMENT', path, () => list.length);
  if (length !== count) {
    throw mismatch('ERR_ARGUMENT', path, `a list of ${count}`, `one of ${show(length)}`);
  }
  return guarded('ERR_ARGUMENT', path, () => Array.from({ length: count }, (_, i) => list[i]));
}
