import type { DescribedArray } from '../descriptor/described-array.js';
import type { DType } from '../dtype/dtype.js';
import { isNamedDType, type NamedDType, ownName, typestrOf } from '../dtype/named-dtypes.js';
import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { checkOptions, readOption } from '../input/argument.js';
import {
  assertAddress,
  assertBare,
  readExported,
  type SettledOption,
} from '../protocols/assert-writable.js';
import { wholeStrides } from '../protocols/sycl.js';
import { type DLPackDevice, readDLPackDevice } from './device.js';
import { DLPACK_VERSION, type DLPackDType, type DLPackFields } from './fields.js';
import { NAMED_DTYPES } from './named-codes.js';

/** What `toDLPack` needs in addition to a descriptor. */
export interface DLPackWriteOptions extends SettledOption {
  /**
   * The device of the memory. Core cannot determine it; a backend's `inspectPointer` reports it.
   */
  readonly device: DLPackDevice;
  /**
   * The type that the array's opaque bytes hold: `bfloat16` for PyTorch's `<V2`. Default: the
   * dtype's name.
   */
  readonly dtype?: NamedDType;
}

const CODES: Readonly<Record<string, number>> = { i: 0, u: 1, f: 2, c: 5, b: 6 };

/**
 * Writes the fields of a DLPack 1.3 tensor. Copies nothing and does not block.
 *
 * `data` is the first element and `byteOffset` is 0; strides count elements and are never null.
 * `settled` reports that the caller has waited for the array's stream. The caller is responsible
 * for the consumer's stream and the deleter.
 *
 * An array of a backend whose own dict names a stream or queue is refused without `settled`.
 * Throws, checked in this order, ERR_TYPE, ERR_DISPOSED, what the getter of the array's own dict
 * throws, ERR_STREAM (an array with a queue), ERR_MISSING_KEY, ERR_OVERFLOW and ERR_POINTER_UNKNOWN
 * (the device), ERR_MASK, ERR_STREAM, ERR_DTYPE_UNSUPPORTED, ERR_BYTE_ORDER, ERR_STRIDE_UNIT,
 * ERR_POINTER_UNKNOWN (JavaScript memory).
 *
 * @example
 * ```ts
 * import { DLPACK_DEVICES, toDLPack } from '@array-interface/core/dlpack';
 * import { host } from '@array-interface/host';
 *
 * using array = host.empty([3], 'float32');
 * const fields = toDLPack(array, { device: { type: DLPACK_DEVICES.cpu, id: 0 } });
 * console.log(fields.elementStrides); // [ 1 ]
 * ```
 */
export function toDLPack(array: DescribedArray, options: DLPackWriteOptions): DLPackFields {
  checkOptions(options ?? {}, ['device', 'dtype', 'settled']);
  const exported = readExported(array, options ?? {}, 'DLPack');
  const device = readDLPackDevice(readOption(options ?? {}, 'device'));
  assertBare(exported, 'DLPack');
  const dtype = dlpackDType(exported.dtype, readOption(options, 'dtype'));
  const elementStrides = wholeStrides(exported, 'byteStrides');
  assertAddress(exported, '');
  return {
    version: { ...DLPACK_VERSION },
    readOnly: exported.readOnly,
    copied: false,
    subBytePadded: (dtype.bits * dtype.lanes) % 8 !== 0,
    data: exported.size === 0 ? 0n : exported.pointer,
    byteOffset: 0n,
    device,
    dtype,
    shape: exported.shape,
    elementStrides,
  };
}

function dlpackDType(dtype: DType, named: unknown): DLPackDType {
  const name = named ?? ownName(dtype);
  if (name !== undefined) {
    if (isNamedDType(name) && typestrOf(name) === dtype.typestr && dtype.fields === null) {
      const [code, bits, lanes] = NAMED_DTYPES[name];
      return { code, bits, lanes };
    }
    throw unsupported(
      dtype,
      `leave out dtype, or name what these bytes hold, which is not ${show(name)}`,
    );
  }
  const { kind, itemsize, byteOrder } = dtype;
  const code = CODES[kind];
  // DLPack has no float of 80 bits in 16 bytes.
  if (code === undefined || itemsize > 16 || (kind === 'f' && itemsize > 8)) {
    throw unsupported(dtype, 'name what its bytes hold with the option dtype, or cast it');
  }
  if (byteOrder !== 'big') return { code, bits: itemsize * 8, lanes: 1 };
  throw mismatch(
    'ERR_BYTE_ORDER',
    'dtype',
    'native byte order',
    show(dtype.typestr),
    `copy it with { dtype: ${show(`<${dtype.typestr.slice(1)}`)} } first`,
  );
}

function unsupported(dtype: DType, why: string): ArrayInterfaceError {
  return mismatch(
    'ERR_DTYPE_UNSUPPORTED',
    'dtype',
    'a bool, integer, float, complex or named dtype of DLPack',
    show(dtype.typestr),
    why,
  );
}
