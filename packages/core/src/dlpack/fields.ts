import { readStrides } from '../descriptor/check-layout.js';
import type { ElementStrides } from '../descriptor/strides.js';
import { mismatch } from '../errors/mismatch.js';
import { Dict, readFlag, readVersion } from '../input/dict.js';
import { readCount, readPointer } from '../input/integer.js';
import { readShape } from '../input/shape.js';
import { type DLPackDevice, readDLPackDevice } from './device.js';

/** What is written. Only its major number says how a struct is laid out. */
export const DLPACK_VERSION: DLPackVersion = { major: 1, minor: 3 };

/** A `DLPackVersion`. */
export interface DLPackVersion {
  /** Another one lays its struct out differently. */
  readonly major: number;
  /** A later one may know more devices and dtypes. */
  readonly minor: number;
}

/** A `DLDataType`, in native byte order. */
export interface DLPackDType {
  /** DLPack’s number for the kind of number. */
  readonly code: number;
  /** Bits of one number. */
  readonly bits: number;
  /** Numbers in one element. */
  readonly lanes: number;
}

/** The fields of a `DLManagedTensorVersioned` of DLPack 1.x as plain data, without its deleter. */
export interface DLPackFields {
  /** Of DLPack; null for a `DLTensor` or a `DLManagedTensor`, which have none. */
  readonly version: DLPackVersion | null;
  /** Whether consumers must not write. */
  readonly readOnly: boolean;
  /** Whether its producer made it for this consumer, and nobody else has it. */
  readonly copied: boolean;
  /** Whether each element of four or six bits has a byte of its own. */
  readonly subBytePadded: boolean;
  /** The address that `byteOffset` counts from; 0 for an array without elements. */
  readonly data: bigint;
  /** From `data` to the first element. */
  readonly byteOffset: bigint;
  /** Where the memory is. */
  readonly device: DLPackDevice;
  /** What one element is. */
  readonly dtype: DLPackDType;
  /** Lengths of the axes. */
  readonly shape: readonly number[];
  /** Null: C-contiguous. */
  readonly elementStrides: ElementStrides | null;
}

/**
 * Reads each field once, and checks it by itself. Throws ERR_TYPE, ERR_MISSING_KEY, ERR_VERSION, ERR_OVERFLOW,
 * ERR_POINTER_UNKNOWN, ERR_POINTER_RANGE, ERR_NEGATIVE_DIMENSION, ERR_RANK_MISMATCH.
 */
export function readFields(value: unknown): DLPackFields {
  const dict = new Dict(value, 'fields');
  const version = readDLPackVersion(dict.required('version'));
  const device = readDLPackDevice(dict.required('device'));
  const dtype = readDLPackDType(dict.required('dtype'));
  const subBytePadded = readFlag(dict.required('subBytePadded'), 'subBytePadded');
  const shape = readShape(dict.required('shape'), 'shape');
  const data = dict.required('data');
  return {
    version,
    readOnly: readFlag(dict.required('readOnly'), 'readOnly'),
    copied: readFlag(dict.required('copied'), 'copied'),
    subBytePadded,
    data: data === null ? 0n : readPointer(data, 'data'),
    byteOffset: readPointer(dict.required('byteOffset'), 'byteOffset'),
    device,
    dtype,
    shape,
    elementStrides: readElementStrides(dict.optional('elementStrides'), shape.length),
  };
}

/** In the unit in which they are given. */
function readElementStrides(value: unknown, rank: number): ElementStrides | null {
  return readStrides(value, rank, 1, 'elementStrides') as readonly number[] | null;
}

function readDLPackVersion(value: unknown): DLPackVersion | null {
  if (value === null) return null;
  const version = new Dict(value, 'version', 'version.');
  readVersion(version, [DLPACK_VERSION.major], 'major');
  const minor = readWithin(version.required('minor'), 2 ** 32 - 1, 'version.minor');
  return { major: DLPACK_VERSION.major, minor };
}

function readDLPackDType(value: unknown): DLPackDType {
  const dtype = new Dict(value, 'dtype', 'dtype.');
  return {
    code: readWithin(dtype.required('code'), 2 ** 8 - 1, 'dtype.code'),
    bits: readWithin(dtype.required('bits'), 2 ** 8 - 1, 'dtype.bits'),
    lanes: readWithin(dtype.required('lanes'), 2 ** 16 - 1, 'dtype.lanes'),
  };
}

function readWithin(value: unknown, most: number, path: string): number {
  const count = readCount(value, path);
  if (count >= 0 && count <= most) return count;
  throw mismatch('ERR_OVERFLOW', path, `a number in 0 .. ${most}, as in dlpack.h`, count);
}
