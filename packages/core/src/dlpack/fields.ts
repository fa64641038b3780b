import type { ElementStrides } from '../descriptor/strides.js';
import { mismatch } from '../errors/mismatch.js';
import { Dict } from '../input/dict.js';
import { readCount } from '../input/integer.js';

/** DLPack's device types whose data is an address. The others have handles, and are refused. */
export const DLPACK_DEVICES = {
  cpu: 1,
  cuda: 2,
  cudaHost: 3,
  rocm: 10,
  rocmHost: 11,
  cudaManaged: 13,
  oneApi: 14,
} as const;

/** A `DLDevice`. The number is 0 for host memory and managed memory. */
export interface DLPackDevice {
  /** DLPack’s number for its kind. */
  readonly type: number;
  /** Index of the device. */
  readonly id: number;
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
  /** Of DLPack. */
  readonly version: { readonly major: number; readonly minor: number };
  /** Whether consumers must not write. */
  readonly readOnly: boolean;
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

/** Throws ERR_TYPE, ERR_MISSING_KEY, ERR_OVERFLOW, ERR_POINTER_UNKNOWN (a device with handles). */
export function readDLPackDevice(value: unknown): DLPackDevice {
  const device = new Dict(value, 'device', 'device.');
  const type = readCount(device.required('type'), 'device.type');
  const id = readCount(device.required('id'), 'device.id');
  if (!Object.values<number>(DLPACK_DEVICES).includes(type)) {
    throw mismatch(
      'ERR_POINTER_UNKNOWN',
      'device.type',
      `a type of device whose data is an address (${Object.values(DLPACK_DEVICES).join(', ')})`,
      type,
      'copy to the host or to such a device first',
    );
  }
  if (id >= 0 && id < 2 ** 31) return { type, id };
  throw mismatch('ERR_OVERFLOW', 'device.id', 'a device number in 0 .. 2^31 - 1', id);
}
