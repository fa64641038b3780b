import { readOption } from './argument.js';
import { assertBare } from './assert-bare.js';
import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { ArrayInterfaceError } from './error.js';
import { assertSyclDType } from './from-sycl-usm-array-interface.js';
import { contiguousByteStrides, type ElementStrides } from './strides.js';
import { readSyclobj, type SyclObject } from './syclobj.js';
import { assertAddress } from './to-cuda-array-interface.js';
import { wholeStrides } from './whole-strides.js';

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

/** What `toSyclUsmArrayInterface` is told besides the array. */
export interface SyclWriteOptions {
  /** Default: the one that the array came with. */
  readonly syclobj?: SyclObject;
}

/**
 * Writes a SYCL USM Array Interface dict; the pointer is a bigint, strides and `offset` count
 * elements. An array that came from one keeps its `data` and `offset`. Copies nothing, waits for
 * nothing; a claim, not access: a backend gives an array without elements real memory. Implements
 * SUAI v1. Throws, checked in this order, ERR_TYPE, ERR_MASK, ERR_STREAM, ERR_DTYPE_UNSUPPORTED,
 * ERR_BYTE_ORDER, ERR_STRIDE_UNIT, ERR_POINTER_UNKNOWN (JavaScript memory), ERR_SYCLOBJ,
 * ERR_POINTER_RANGE (of a capsule) or ERR_TYPE.
 */
export function toSyclUsmArrayInterface(
  array: ArrayDescriptor,
  options: SyclWriteOptions = {},
): SyclUsmArrayInterface {
  assertArrayDescriptor(array, 'array');
  assertBare(array, 'SUAI');
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
    syclobj: syclobjOf(readOption(options, 'syclobj') ?? array.syclobj),
  };
}

/** Null where C order says the same. */
function elementStridesOf(array: ArrayDescriptor): ElementStrides | null {
  const { itemsize, shape } = array;
  const strides = wholeStrides(array, 'strides');
  const dense = contiguousByteStrides(shape, itemsize);
  return strides.every((stride, axis) => stride * itemsize === dense[axis]) ? null : strides;
}

function syclobjOf(value: unknown): SyclObject {
  if (value !== null && value !== undefined) return readSyclobj(value, 'syclobj');
  throw new ArrayInterfaceError(
    'ERR_SYCLOBJ',
    'syclobj',
    'expected the queue, context or filter selector that the memory belongs to, got nothing; name it',
  );
}
