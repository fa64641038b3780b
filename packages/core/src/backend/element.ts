import type { DType } from '../dtype/dtype.js';
import { ArrayInterfaceError } from '../errors/error.js';

/**
 * Writes one number as an element of `dtype` at `offset`: a bool, an integer in range, a float, or
 * a complex number with imaginary part 0. Throws ERR_TYPE or ERR_OVERFLOW for a value that the
 * dtype cannot hold, ERR_DTYPE_UNSUPPORTED for a dtype without numbers.
 */
export function writeElement(
  view: DataView,
  offset: number,
  dtype: DType,
  value: number | bigint | boolean,
): void {
  const little = dtype.byteOrder !== 'big';
  const half = dtype.itemsize / 2;
  switch (dtype.kind) {
    case 'b':
      view.setUint8(offset, value ? 1 : 0);
      break;
    case 'i':
    case 'u':
      writeInteger(view, offset, dtype, integer(value, dtype), little);
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
    throw new ArrayInterfaceError(
      'ERR_TYPE',
      'value',
      `expected an integer for ${dtype.typestr}, got ${value}; round it first`,
    );
  }
  const exact = BigInt(value);
  const bits = dtype.itemsize * 8;
  const held = dtype.kind === 'i' ? BigInt.asIntN(bits, exact) : BigInt.asUintN(bits, exact);
  if (held === exact) return exact;
  throw new ArrayInterfaceError(
    'ERR_OVERFLOW',
    'value',
    `expected a value that ${dtype.typestr} can hold, got ${exact}`,
  );
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
  return new ArrayInterfaceError(
    'ERR_DTYPE_UNSUPPORTED',
    'dtype',
    `expected a dtype that a JavaScript number can fill, got ${dtype.typestr}; ` +
      'copy from an ArrayBuffer that holds its bytes instead',
  );
}
