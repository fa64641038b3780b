import type { DType } from '../dtype/dtype.js';
import { dtype } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';

/** `Float16Array`, in engines that have it: Node 24 and later. */
type Float16ArrayIfAny = typeof globalThis extends { Float16Array: { prototype: infer Elements } }
  ? Elements
  : Omit<Float32Array, 'BYTES_PER_ELEMENT' | typeof Symbol.toStringTag> & {
      readonly BYTES_PER_ELEMENT: 2;
    };

/** JavaScript's arrays of numbers. Complex numbers are pairs in them. */
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float16ArrayIfAny
  | Float32Array
  | Float64Array;

/** The class of the typed array for each dtype, by the dtype's name. */
export interface TypedArrays {
  /** One byte each: 0 or 1. */
  readonly bool: Uint8Array;
  /** Not converted. */
  readonly int8: Int8Array;
  /** Not converted. */
  readonly int16: Int16Array;
  /** Not converted. */
  readonly int32: Int32Array;
  /** Elements are bigints. */
  readonly int64: BigInt64Array;
  /** Not converted. */
  readonly uint8: Uint8Array;
  /** Not converted. */
  readonly uint16: Uint16Array;
  /** Not converted. */
  readonly uint32: Uint32Array;
  /** Elements are bigints. */
  readonly uint64: BigUint64Array;
  /** float32 if the engine has no Float16Array. */
  readonly float16: Float16ArrayIfAny | Float32Array;
  /** Converted to float32. */
  readonly bfloat16: Float32Array;
  /** Not converted. */
  readonly float32: Float32Array;
  /** Not converted. */
  readonly float64: Float64Array;
  /** Pairs of floats: real part, imaginary part. */
  readonly complex64: Float32Array;
  /** Pairs of floats: real part, imaginary part. */
  readonly complex128: Float64Array;
}

/**
 * The class of the typed array over an array's own memory, by the array's dtype. Without bfloat16,
 * which no typed array holds.
 */
export interface MappedArrays extends Omit<TypedArrays, 'float16' | 'bfloat16'> {
  /** Engines without Float16Array have none. */
  readonly float16: Float16ArrayIfAny;
}

type TypedArrayConstructor = (new (
  buffer: ArrayBufferLike,
  byteOffset: number,
  length: number,
) => TypedArray) & { readonly BYTES_PER_ELEMENT: number };

/** By kind and itemsize of the dtype. */
const CONSTRUCTORS: Readonly<Record<string, Readonly<Record<number, TypedArrayConstructor>>>> = {
  b: { 1: Uint8Array },
  i: { 1: Int8Array, 2: Int16Array, 4: Int32Array, 8: BigInt64Array },
  u: { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array },
  f: { 4: Float32Array, 8: Float64Array },
  c: { 8: Float32Array, 16: Float64Array },
  m: { 8: BigInt64Array },
  M: { 8: BigInt64Array },
};

/**
 * Returns a view of a buffer, or of `byteLength` bytes of it, as elements of a dtype. Copies
 * nothing. Complex numbers become pairs of floats, dates and durations 64-bit integers, strings and
 * records their bytes. Throws ERR_DTYPE_UNSUPPORTED if JavaScript has no such array, ERR_BYTE_ORDER
 * for big-endian elements. `path` is the path of these errors.
 */
export function typedArray(
  buffer: ArrayBufferLike,
  type: DType,
  byteOffset = 0,
  byteLength: number = buffer.byteLength - byteOffset,
  path = 'dtype',
): TypedArray {
  if (type.byteOrder === 'big') {
    throw mismatch(
      'ERR_BYTE_ORDER',
      path,
      'elements in native byte order',
      type.typestr,
      'copy them with toTypedArray, which swaps the bytes',
    );
  }
  const isBytes = 'SUV'.includes(type.kind) && type.name !== 'bfloat16';
  if (isBytes) return new Uint8Array(buffer, byteOffset, byteLength);
  const isHalf = type.kind === 'f' && type.itemsize === 2;
  const Elements = isHalf ? float16Array() : CONSTRUCTORS[type.kind]?.[type.itemsize];
  if (Elements !== undefined)
    return new Elements(buffer, byteOffset, byteLength / Elements.BYTES_PER_ELEMENT);
  throw mismatch(
    'ERR_DTYPE_UNSUPPORTED',
    path,
    'a dtype that a typed array can hold',
    type.typestr,
    "convert the elements with toTypedArray(array, { dtype: 'float32' }), or view them as bytes first",
  );
}

/**
 * Returns the dtype that elements have in JavaScript: in native order, and float32 for 16-bit
 * floats without a typed array.
 */
export function dtypeInJavaScript(elements: DType): DType {
  const { kind, itemsize, name, typestr } = elements;
  const isHalf = kind === 'f' && itemsize === 2 && float16Array() === undefined;
  if (isHalf || name === 'bfloat16') return dtype('float32');
  return elements.byteOrder === 'big' ? dtype(`<${typestr.slice(1)}`) : elements;
}

/** Undefined before Node 24. */
function float16Array(): TypedArrayConstructor | undefined {
  return (globalThis as { Float16Array?: TypedArrayConstructor }).Float16Array;
}
