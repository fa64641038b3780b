import type { DType } from '../dtype/dtype.js';
import { ArrayInterfaceError } from '../errors/error.js';

/** JavaScript's arrays of numbers; complex numbers are pairs in them. */
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
  | Float32Array
  | Float64Array;

type TypedArrayConstructor = (new (
  buffer: ArrayBuffer,
  byteOffset: number,
  length: number,
) => TypedArray) & { readonly BYTES_PER_ELEMENT: number };

const CONSTRUCTORS: Readonly<Record<string, TypedArrayConstructor>> = {
  b1: Uint8Array,
  i1: Int8Array,
  i2: Int16Array,
  i4: Int32Array,
  i8: BigInt64Array,
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  u8: BigUint64Array,
  f4: Float32Array,
  f8: Float64Array,
  c8: Float32Array,
  c16: Float64Array,
  m8: BigInt64Array,
  M8: BigInt64Array,
};

/**
 * A view of a buffer, or of `byteLength` bytes of it, as elements of `dtype`. Complex numbers
 * become pairs of floats, dates and durations 64-bit integers, strings and records their bytes.
 * Does not copy. Throws ERR_DTYPE_UNSUPPORTED where JavaScript has no such array, ERR_BYTE_ORDER
 * for big-endian elements.
 */
export function typedArray(
  buffer: ArrayBuffer,
  dtype: DType,
  byteOffset = 0,
  byteLength: number = buffer.byteLength - byteOffset,
): TypedArray {
  if (dtype.byteOrder === 'big') {
    throw new ArrayInterfaceError(
      'ERR_BYTE_ORDER',
      'dtype',
      `expected elements in native order, got ${dtype.typestr}; copy into a DataView's buffer instead`,
    );
  }
  if ('SUV'.includes(dtype.kind)) return new Uint8Array(buffer, byteOffset, byteLength);
  const name = `${dtype.kind}${dtype.itemsize}`;
  const Elements = name === 'f2' ? float16Array() : CONSTRUCTORS[name];
  if (Elements !== undefined)
    return new Elements(buffer, byteOffset, byteLength / Elements.BYTES_PER_ELEMENT);
  throw new ArrayInterfaceError(
    'ERR_DTYPE_UNSUPPORTED',
    'dtype',
    `expected a dtype that a typed array can hold, got ${dtype.typestr}; ` +
      'copy into an ArrayBuffer described with fromArrayInterface instead',
  );
}

/** Node 24 and later have it. */
function float16Array(): TypedArrayConstructor | undefined {
  return (globalThis as { Float16Array?: TypedArrayConstructor }).Float16Array;
}
