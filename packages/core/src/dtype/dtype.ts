import { sameShape } from '../input/shape.js';
import type { NamedDType } from './named-dtypes.js';

/** A field of a record. */
export interface RecordField {
  /** Name of the field. */
  readonly name: string;
  /** A second name that NumPy allows a field to have, or null. */
  readonly title: string | null;
  /** Offset in bytes from the start of the record. */
  readonly offset: number;
  /** Dtype of the field, or of one element of a sub-array. */
  readonly dtype: DType;
  /** The shape of a sub-array field; `[]` for any other field. */
  readonly shape: readonly number[];
  /** Size of the whole field in bytes, sub-array included. */
  readonly itemsize: number;
}

/** The type of an array's elements. Immutable; made by `dtype()` and the readers. */
export interface DType {
  /**
   * NumPy's character: bool, signed, unsigned, float, complex, timedelta, datetime, bytes, Unicode,
   * void or record. `t` is a bit field, which only a mask can have.
   */
  readonly kind: 'b' | 'i' | 'u' | 'f' | 'c' | 'm' | 'M' | 'S' | 'U' | 'V' | 't';
  /** Size of one element in bytes. */
  readonly itemsize: number;
  /**
   * Byte order. `none` if it does not apply: one-byte types, byte strings, opaque items and
   * records.
   */
  readonly byteOrder: 'little' | 'big' | 'none';
  /** The typestr in its usual spelling: `<f4`, `|u1`, `<M8[ns]`. */
  readonly typestr: string;
  /** Fields of a record in the order of their offsets, or null. */
  readonly fields: readonly RecordField[] | null;
  /**
   * Name of the type that opaque bytes hold, if known: `bfloat16`. No interface dict carries it.
   */
  readonly name?: NamedDType;
}

/** A name of a plain dtype, as in the array API standard. */
export type DTypeName =
  | 'bool'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float16'
  | 'float32'
  | 'float64'
  | 'complex64'
  | 'complex128';

/**
 * NumPy's `descr`: the fields of a record in order; padding has the name `''`. A field is `[name,
 * type]` or `[name, type, shape]`. A name may be `[title, name]`, and a type may be the fields of a
 * nested record.
 */
export type Descr = readonly DescrEntry[];
type DescrEntry = readonly [
  name: string | readonly [title: string, name: string],
  type: string | Descr,
  shape?: readonly number[],
];

/**
 * What functions accept as a dtype: a `DType`, its name (`float32`), a typestr (`<f4`, or `f4` in
 * native order), or the fields of a record (`[['x', 'f4'], ['id', 'int32']]`).
 */
export type DTypeLike = DType | DTypeName | (string & {}) | Descr;

/** `dtypesEqual` for values known to be dtypes. */
export function sameDType(a: DType, b: DType): boolean {
  if (a === b) return true;
  if ((a.name ?? b.name) !== (b.name ?? a.name)) return false;
  if (a.typestr !== b.typestr || a.fields?.length !== b.fields?.length) return false;
  if (a.fields === null) return true;
  return a.fields.every((field, index) => sameField(field, b.fields?.[index] as RecordField));
}

function sameField(a: RecordField, b: RecordField): boolean {
  const samePlace = a.offset === b.offset && sameShape(a.shape, b.shape);
  return samePlace && a.name === b.name && sameDType(a.dtype, b.dtype);
}
