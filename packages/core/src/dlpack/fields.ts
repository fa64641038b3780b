import { readStrides } from '../descriptor/check-layout.js';
import type { ElementStrides } from '../descriptor/strides.js';
import { mismatch } from '../errors/mismatch.js';
import { Dict, readFlag, readVersion } from '../input/dict.js';
import { readCount, readPointer } from '../input/integer.js';
import { readShape } from '../input/shape.js';
import { type DLPackDevice, readDLPackDevice } from './device.js';

/** The version that is written. Only its major number determines the layout of a struct. */
export const DLPACK_VERSION: DLPackVersion = { major: 1, minor: 3 };

/** A `DLPackVersion`. */
export interface DLPackVersion {
  /** Major number. Another one lays its struct out differently. */
  readonly major: number;
  /** Minor number. A later one may add devices and dtypes. */
  readonly minor: number;
}

/** A `DLDataType`, in native byte order. */
export interface DLPackDType {
  /** DLPack's number of the type code. */
  readonly code: number;
  /** Number of bits of one number. */
  readonly bits: number;
  /** Number of numbers in one element. */
  readonly lanes: number;
}

/** The fields of a `DLManagedTensorVersioned` of DLPack 1.x as plain data, without its deleter. */
export interface DLPackFields {
  /** Version of DLPack. Null for a `DLTensor` or a `DLManagedTensor`, which have none. */
  readonly version: DLPackVersion | null;
  /** Whether consumers must not write. */
  readonly readOnly: boolean;
  /** Whether the producer copied the memory for this consumer, which then uses it alone. */
  readonly copied: boolean;
  /** Whether each element of four or six bits occupies a byte of its own. */
  readonly subBytePadded: boolean;
  /** The address that `byteOffset` counts from; 0 for an empty array. */
  readonly data: bigint;
  /** Bytes from `data` to the first element. */
  readonly byteOffset: bigint;
  /** The device of the memory. */
  readonly device: DLPackDevice;
  /** The dtype of the elements. */
  readonly dtype: DLPackDType;
  /** Lengths of the axes. */
  readonly shape: readonly number[];
  /** Strides in elements. Null: C-contiguous. */
  readonly elementStrides: ElementStrides | null;
}

/**
 * Reads each field once and checks it individually. Throws ERR_TYPE, ERR_MISSING_KEY, ERR_VERSION,
 * ERR_OVERFLOW, ERR_POINTER_UNKNOWN, ERR_POINTER_RANGE, ERR_NEGATIVE_DIMENSION, ERR_RANK_MISMATCH.
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
    elementStrides: readStrides(
      dict.optional('elementStrides'),
      shape.length,
      1,
      'elementStrides',
    ) as readonly number[] | null, // not converted to bytes
  };
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
