import { mismatch } from '../errors/mismatch.js';
import { Dict } from '../input/dict.js';
import { readCount } from '../input/integer.js';

/** DLPack's device types whose data is an address. The others have handles and are rejected. */
export const DLPACK_DEVICES = {
  cpu: 1,
  cuda: 2,
  cudaHost: 3,
  rocm: 10,
  rocmHost: 11,
  cudaManaged: 13,
  oneApi: 14,
} as const;

// Marked pure, so that a bundle that reads no DLPack omits it.
const TYPES: readonly number[] = /* @__PURE__ */ Object.values(DLPACK_DEVICES);

/** The names in dlpack.h 1.3 of the rejected types. */
const REFUSED: Readonly<Record<number, string>> = {
  4: 'kDLOpenCL',
  7: 'kDLVulkan',
  8: 'kDLMetal',
  9: 'kDLVPI',
  12: 'kDLExtDev',
  15: 'kDLWebGPU',
  16: 'kDLHexagon',
  17: 'kDLMAIA',
  18: 'kDLTrn',
};

/** A `DLDevice`. The id is 0 for host memory and managed memory. */
export interface DLPackDevice {
  /** DLPack's number of the device type. */
  readonly type: number;
  /** Index of the device. */
  readonly id: number;
}

/** Throws ERR_TYPE, ERR_MISSING_KEY, ERR_OVERFLOW, ERR_POINTER_UNKNOWN (a device with handles). */
export function readDLPackDevice(value: unknown): DLPackDevice {
  const device = new Dict(value, 'device', 'device.');
  const type = readCount(device.required('type'), 'device.type');
  const id = readCount(device.required('id'), 'device.id');
  if (!TYPES.includes(type)) {
    const name = REFUSED[type];
    throw mismatch(
      'ERR_POINTER_UNKNOWN',
      'device.type',
      `a device type whose data is an address (${TYPES.join(', ')})`,
      name === undefined ? type : `${type}, which is ${name}`,
      'copy to the host or to such a device first',
    );
  }
  if (id >= 0 && id < 2 ** 31) return { type, id };
  throw mismatch('ERR_OVERFLOW', 'device.id', 'a device number in 0 .. 2^31 - 1', id);
}
