import { readOption } from './argument.js';
import { assertNoBits } from './assert-bare.js';
import { type Descr, toDescr } from './descr.js';
import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { ArrayInterfaceError } from './error.js';
import { show } from './show.js';
import type { ByteStrides } from './strides.js';

/** A dict of the CUDA Array Interface; strides in bytes. `stream` is there from version 3. */
export interface CudaArrayInterface {
  readonly shape: readonly number[];
  readonly typestr: string;
  /** The pointer is always a bigint. */
  readonly data: readonly [pointer: bigint, readOnly: boolean];
  /** Null exactly when C-contiguous. */
  readonly strides: ByteStrides | null;
  readonly version: 0 | 1 | 2 | 3;
  /** Null, or always a bigint. */
  readonly stream?: bigint | null;
  readonly descr?: Descr;
  readonly mask?: { readonly __cuda_array_interface__: CudaArrayInterface };
}

/** What `toCudaArrayInterface` is told besides the array. */
export interface CudaWriteOptions {
  /** Default 3; older ones only while no work is pending. */
  readonly version?: 0 | 1 | 2 | 3;
}

/**
 * Writes a CUDA Array Interface dict: pointer and stream as bigint, pointer 0 for size 0, `strides`
 * in bytes, null exactly when C-contiguous. Copies nothing, waits for nothing; a claim, not access.
 * Implements CAI v3. Throws ERR_TYPE, ERR_VERSION, ERR_DTYPE_UNSUPPORTED (bits, which stand in masks
 * only), ERR_MASK (version 0), ERR_STREAM (a pending one
 * before version 3), ERR_POINTER_UNKNOWN (JavaScript memory, whose address core does not know).
 */
export function toCudaArrayInterface(
  array: ArrayDescriptor,
  options: CudaWriteOptions = {},
): CudaArrayInterface {
  assertArrayDescriptor(array, 'array');
  const version = readOption(options, 'version', 3);
  if (![0, 1, 2, 3].includes(version)) {
    throw new ArrayInterfaceError(
      'ERR_VERSION',
      'version',
      `expected 0, 1, 2 or 3, got ${show(version)}`,
    );
  }
  assertNoBits(array);
  return write(array, version, '');
}

function write(array: ArrayDescriptor, version: 0 | 1 | 2 | 3, prefix: string): CudaArrayInterface {
  if (array.mask !== null && version === 0) {
    throw new ArrayInterfaceError(
      'ERR_MASK',
      'mask',
      'expected an array without a mask for version 0, got a masked one; write version 1 or later',
    );
  }
  if (array.stream !== null && version < 3) {
    throw new ArrayInterfaceError(
      'ERR_STREAM',
      `${prefix}stream`,
      `expected no pending work for version ${version}, got stream ${array.stream}; wait for it first`,
    );
  }
  assertAddress(array, prefix);
  const mask = array.mask === null ? null : write(array.mask, version, 'mask.');
  return {
    shape: array.shape,
    typestr: array.dtype.typestr,
    data: [array.size === 0 ? 0n : array.pointer, array.readOnly],
    strides: array.contiguous.c ? null : array.byteStrides,
    version,
    ...(version === 3 ? { stream: array.stream } : {}),
    ...(array.dtype.fields === null ? {} : { descr: toDescr(array.dtype) }),
    ...(mask === null ? {} : { mask: { __cuda_array_interface__: mask } }),
  };
}

/** Throws ERR_POINTER_UNKNOWN for an array in JavaScript memory. */
export function assertAddress(array: ArrayDescriptor, prefix: string): void {
  if (array.buffer === null) return;
  throw new ArrayInterfaceError(
    'ERR_POINTER_UNKNOWN',
    `${prefix}data[0]`,
    'expected an array at an address, got one in a JavaScript buffer; import it with the host backend first',
  );
}
