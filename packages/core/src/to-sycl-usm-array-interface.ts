import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { ArrayInterfaceError } from './error.js';
import { assertSyclDType } from './from-sycl-usm-array-interface.js';
import { contiguousByteStrides, type ElementStrides, elementStrides } from './strides.js';
import { readSyclobj, type SyclObject } from './syclobj.js';
import { assertAddress } from './to-cuda-array-interface.js';

/** A dict of the SYCL USM Array Interface; strides and offset in elements. */
export interface SyclUsmArrayInterface {
  readonly shape: readonly number[];
  readonly typestr: string;
  /** Where `offset` counts from, not the first element; always a bigint. */
  readonly data: readonly [pointer: bigint, readOnly: boolean];
  /** Null where C order says the same. */
  readonly strides: ElementStrides | null;
  readonly offset: number;
  readonly version: 1;
  readonly syclobj: SyclObject;
}

export interface SyclWriteOptions {
  /** Default: the one that the array came with. */
  readonly syclobj?: SyclObject;
}

/**
 * Writes a SYCL USM Array Interface dict; the pointer is a bigint. An array that came from one keeps
 * its `data` and `offset`. Copies nothing, waits for nothing; a claim, not access: a backend gives an
 * array without elements real memory. Implements SUAI v1. Throws, checked in this order, ERR_MASK,
 * ERR_STREAM, ERR_DTYPE_UNSUPPORTED, ERR_BYTE_ORDER, ERR_STRIDE_UNIT, ERR_POINTER_UNKNOWN
 * (JavaScript memory), ERR_SYCLOBJ or ERR_TYPE.
 */
export function toSyclUsmArrayInterface(
  array: ArrayDescriptor,
  options: SyclWriteOptions = {},
): SyclUsmArrayInterface {
  assertArrayDescriptor(array, 'array');
  if (array.mask !== null) {
    throw new ArrayInterfaceError(
      'ERR_MASK',
      'mask',
      'expected an array without a mask, which SUAI cannot hold, got a masked one; pass the mask apart',
    );
  }
  if (array.stream !== null) {
    throw new ArrayInterfaceError(
      'ERR_STREAM',
      'stream',
      `expected no pending work, which SUAI cannot tell of, got stream ${array.stream}; wait for it first`,
    );
  }
  assertSyclDType(array.dtype, 'typestr');
  const strides = elementStridesOf(array);
  assertAddress(array, '');
  const base = array.base ?? { pointer: array.pointer, elementOffset: 0 };
  return {
    shape: array.shape,
    typestr: array.dtype.typestr,
    data: [base.pointer, array.readOnly],
    strides,
    offset: base.elementOffset,
    version: 1,
    syclobj: syclobjOf(options.syclobj ?? array.syclobj),
  };
}

/** Strides of axes with one element or none mean nothing, and are rewritten where they do not fit. */
function elementStridesOf(array: ArrayDescriptor): ElementStrides | null {
  const { itemsize, shape } = array;
  const dense = contiguousByteStrides(shape, itemsize);
  const bytes = array.byteStrides.map((stride, axis) => {
    if (stride % itemsize === 0) return stride;
    if ((shape[axis] as number) <= 1) return dense[axis] as number;
    throw new ArrayInterfaceError(
      'ERR_STRIDE_UNIT',
      `strides[${axis}]`,
      `expected a whole number of elements of ${itemsize} bytes, got ${stride} bytes; copy the array first`,
    );
  });
  if (bytes.every((stride, axis) => stride === dense[axis])) return null;
  return elementStrides(bytes.map((stride) => stride / itemsize + 0));
}

function syclobjOf(value: unknown): SyclObject {
  if (value !== null && value !== undefined) return readSyclobj(value, 'syclobj');
  throw new ArrayInterfaceError(
    'ERR_SYCLOBJ',
    'syclobj',
    'expected the queue, context or filter selector that the memory belongs to, got nothing; name it',
  );
}
