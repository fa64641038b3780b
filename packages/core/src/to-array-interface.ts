import { assertNoBits } from './assert-bare.js';
import { type Descr, toDescr } from './descr.js';
import { type ArrayDescriptor, assertArrayDescriptor, type Buffer } from './descriptor.js';
import { ArrayInterfaceError } from './error.js';
import type { ByteStrides } from './strides.js';

/** A dict of NumPy's array interface; strides in bytes. */
export interface ArrayInterface {
  readonly shape: readonly number[];
  readonly typestr: string;
  /** The pointer, always a bigint, and the read-only flag; or JavaScript memory. */
  readonly data: readonly [pointer: bigint, readOnly: boolean] | Buffer;
  /** Where the first element lies in a buffer, in bytes. */
  readonly offset?: number;
  /** Null exactly when C-contiguous. */
  readonly strides: ByteStrides | null;
  readonly version: 3;
  readonly descr?: Descr;
  readonly mask?: { readonly __array_interface__: ArrayInterface };
}

/**
 * Writes a dict of NumPy's array interface; the pointer is a bigint, `strides` are bytes and null
 * exactly when C-contiguous, JavaScript memory goes along as `data` and `offset`, a mask as a dict
 * of its own. Copies nothing, waits for nothing; a claim, not access. Implements NumPy's array
 * interface, version 3. Throws ERR_TYPE, ERR_DTYPE_UNSUPPORTED (bits, which stand in
 * masks only), ERR_STREAM (work is pending), ERR_READ_ONLY (a buffer
 * cannot say that it is).
 */
export function toArrayInterface(array: ArrayDescriptor): ArrayInterface {
  assertArrayDescriptor(array, 'array');
  assertNoBits(array);
  return write(array, '');
}

function write(array: ArrayDescriptor, prefix: string): ArrayInterface {
  if (array.stream !== null) {
    throw new ArrayInterfaceError(
      'ERR_STREAM',
      `${prefix}stream`,
      `expected no pending work, which the dict cannot tell of, got stream ${array.stream}; wait for it first`,
    );
  }
  const mask = array.mask === null ? null : write(array.mask, 'mask.');
  return {
    shape: array.shape,
    typestr: array.dtype.typestr,
    ...place(array, prefix),
    strides: array.contiguous.c ? null : array.byteStrides,
    version: 3,
    ...(array.dtype.fields === null ? {} : { descr: toDescr(array.dtype) }),
    ...(mask === null ? {} : { mask: { __array_interface__: mask } }),
  };
}

function place(array: ArrayDescriptor, prefix: string): Pick<ArrayInterface, 'data' | 'offset'> {
  const { buffer, pointer, readOnly } = array;
  if (buffer === null) return { data: [pointer, readOnly] };
  if (!readOnly) return { data: buffer, offset: Number(pointer) };
  throw new ArrayInterfaceError(
    'ERR_READ_ONLY',
    `${prefix}data`,
    'expected writable JavaScript memory, whose dict has no read-only flag, got a read-only array; ' +
      'copy it first',
  );
}
