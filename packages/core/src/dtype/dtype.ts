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
   * NumPy's name: `float32`, `bool`, `datetime64[ns]`. It does not tell the byte order: `<f4` and
   * `>f4` are both `float32`. Absent for what NumPy cannot read by a name: text, opaque bytes and
   * records. But opaque bytes have the name of the type that they hold, if it is known: `bfloat16`.
   * No interface dict carries that one.
   */
  readonly name?: DTypeName | OtherDTypeName;
  /**
   * Returns a text from which `dtype` makes this dtype again: the name, or the typestr of a dtype
   * that is big-endian or has no name. A record's has its size only.
   */
  toString(): string;
  /** Returns what JSON carries, and `dtype` reads: the text of `toString`, or a record's fields. */
  toJSON(): string | Descr;
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

/** A name of any other dtype: of types without a typestr, of long floats, and of times. */
export type OtherDTypeName =
  | NamedDType
  | 'float128'
  | 'complex256'
  | `${'datetime64' | 'timedelta64'}${'' | `[${string}]`}`;

type Number =
  | 'b1'
  | `${'i' | 'u'}${1 | 2 | 4 | 8}`
  | `f${2 | 4 | 8 | 16}`
  | `c${8 | 16 | 32}`
  | 'm8'
  | 'M8';

/** A typestr with or without its byte order: `<f4`, `f4`, `M8[ns]`, `|V4`. */
export type Typestr =
  `${'<' | '>' | '|' | ''}${Number | `${'m8' | 'M8'}[${string}]` | `${'S' | 'U' | 'V'}${number}`}`;

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

/** A dtype as text that TypeScript can check: a name or a typestr. */
export type DTypeText = DTypeName | OtherDTypeName | Typestr;

/** The fields of a record as people write them, as a `Descr` whose types are checked. */
export type RecordLike = readonly (readonly [
  name: string | readonly [title: string, name: string],
  type: DTypeText | RecordLike,
  shape?: readonly number[],
])[];

/**
 * What functions accept as a dtype: a `DType`, its name (`float32`), a typestr (`<f4`, or `f4` in
 * native order), or the fields of a record (`[['x', 'f4'], ['id', 'int32']]`). `dtype()` makes a
 * `DType` of any other string.
 */
export type DTypeLike = DType | DTypeText | RecordLike;

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
