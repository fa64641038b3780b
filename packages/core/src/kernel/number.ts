import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { readInteger } from '../input/integer.js';
import { convertNumbers } from '../numbers/convert-numbers.js';
import type { NumberName } from './parameter.js';

/** The bits of each type of integers. */
const BITS = {
  int8: 8,
  uint8: 8,
  int16: 16,
  uint16: 16,
  int32: 32,
  uint32: 32,
  int64: 64,
  uint64: 64,
};

/** The value of a number: a bigint if it is an integer of 64 bits. */
export type NumberValue = number | bigint | boolean;

/**
 * Writes a number that code takes at `offset`, in as many bytes as its type has. Throws ERR_TYPE
 * for a value of another kind, ERR_OVERFLOW for an integer that the type cannot hold.
 */
export function writeNumber(
  view: DataView,
  offset: number,
  type: NumberName,
  value: unknown,
  path: string,
): void {
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw wrongKind(path, 'true or false', value);
    view.setUint8(offset, Number(value));
    return;
  }
  if (type === 'float16' || type === 'float32' || type === 'float64') {
    if (typeof value !== 'number') throw wrongKind(path, 'a number', value);
    if (type === 'float16') writeHalf(view, offset, value);
    else if (type === 'float32') view.setFloat32(offset, value, true);
    else view.setFloat64(offset, value, true);
    return;
  }
  writeInteger(view, offset, BITS[type], readNumberWithin(value, path, type));
}

/** Reads an integer in the range of a type. Throws ERR_TYPE, ERR_OVERFLOW. */
export function readNumberWithin(value: unknown, path: string, type: keyof typeof BITS): bigint {
  const integer = readInteger(value, path);
  const wrap = type.startsWith('i') ? BigInt.asIntN : BigInt.asUintN;
  if (wrap(BITS[type], integer) === integer) return integer;
  throw mismatch('ERR_OVERFLOW', path, `a number that ${type} can hold`, show(integer));
}

/** Reads a number that `writeNumber` wrote. */
export function readNumber(view: DataView, offset: number, type: NumberName): NumberValue {
  return READERS[type](view, offset);
}

const READERS: Readonly<Record<NumberName, (view: DataView, offset: number) => NumberValue>> = {
  bool: (view, offset) => view.getUint8(offset) !== 0,
  int8: (view, offset) => view.getInt8(offset),
  uint8: (view, offset) => view.getUint8(offset),
  int16: (view, offset) => view.getInt16(offset, true),
  uint16: (view, offset) => view.getUint16(offset, true),
  int32: (view, offset) => view.getInt32(offset, true),
  uint32: (view, offset) => view.getUint32(offset, true),
  int64: (view, offset) => view.getBigInt64(offset, true),
  uint64: (view, offset) => view.getBigUint64(offset, true),
  float16: readHalf,
  float32: (view, offset) => view.getFloat32(offset, true),
  float64: (view, offset) => view.getFloat64(offset, true),
};

function writeInteger(view: DataView, offset: number, bits: number, value: bigint): void {
  if (bits === 64) view.setBigUint64(offset, BigInt.asUintN(64, value), true);
  else if (bits === 32) view.setInt32(offset, Number(value), true);
  else if (bits === 16) view.setInt16(offset, Number(value), true);
  else view.setInt8(offset, Number(value));
}

const EXACT = { swapsSource: false, swapsDestination: false, rounds: false };

function writeHalf(view: DataView, offset: number, value: number): void {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + offset, 2);
  convertNumbers(bytes, bytesOf(Float64Array.of(value)), { ...EXACT, from: 'f8', to: 'f2' });
}

function readHalf(view: DataView, offset: number): number {
  const value = new Float64Array(1);
  const bytes = new Uint8Array(view.buffer, view.byteOffset + offset, 2);
  convertNumbers(bytesOf(value), bytes, { ...EXACT, from: 'f2', to: 'f8' });
  return value[0] as number;
}

function bytesOf({ buffer }: Float64Array): Uint8Array {
  return new Uint8Array(buffer);
}

function wrongKind(path: string, expected: string, value: unknown): ArrayInterfaceError {
  return mismatch('ERR_TYPE', path, expected, show(value));
}
