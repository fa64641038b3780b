import { checkLayout, nullPointer, pointerFrom, readStrides } from '../descriptor/check-layout.js';
import type { DescribedArray } from '../descriptor/described-array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { contiguousByteStrides, type ElementStrides } from '../descriptor/strides.js';
import { readSyclobj, type SyclObject } from '../descriptor/syclobj.js';
import type { DType } from '../dtype/dtype.js';
import { parseTypestr } from '../dtype/typestr.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { withSubject } from '../errors/with-subject.js';
import { checkOptions, readFlag, readOption } from '../input/argument.js';
import { Dict, readPair, readVersion } from '../input/dict.js';
import { readCount } from '../input/integer.js';
import { readShape } from '../input/shape.js';
import { assertAddress, assertBare, readExported, type SettledOption } from './assert-writable.js';
import { ATTRIBUTES, type InterfaceDict } from './protocol.js';
import { ownerOf, writeData } from './written.js';

const RULES = { equalsSign: true };

/**
 * Reads a SYCL USM Array Interface dict, version 1. Copies nothing and does not block.
 *
 * Its strides and offset count elements; the descriptor's strides count bytes. Keeps only `syclobj`
 * and `owner`: what must stay alive while the memory is used. `readOnly` overrides the flag, since
 * `dpctl.memory` always reports read-only. Implements SUAI v1. Throws what every reader throws
 * ("Reading an interface" in `docs/errors.md`), and also ERR_BYTE_ORDER and ERR_SYCLOBJ.
 *
 * @example
 * ```ts
 * import { fromSyclUsmArrayInterface } from '@array-interface/core';
 *
 * const data = [0x7f0000000000, false];
 * const dict = { version: 1, shape: [4, 6], typestr: '<f4', data, syclobj: 'gpu' };
 * const matrix = fromSyclUsmArrayInterface(dict);
 * console.log(matrix.byteStrides); // [ 24, 4 ]
 * ```
 */
export function fromSyclUsmArrayInterface(
  dict: InterfaceDict,
  options: { readonly owner?: unknown; readonly readOnly?: boolean } = {},
): ArrayDescriptor {
  checkOptions(options, ['owner', 'readOnly']);
  const readOnly = readFlag(options, 'readOnly');
  const owner = readOption(options, 'owner') ?? null;
  return withSubject(dict, () => readSycl(dict, owner, readOnly));
}

function readSycl(value: unknown, owner: unknown, readOnly: boolean | undefined): ArrayDescriptor {
  const dict = new Dict(value, ATTRIBUTES.sycl);
  readVersion(dict, [1]);
  const dtype = parseTypestr(dict.required('typestr'), 'typestr', RULES);
  assertSyclDType(dtype, 'typestr');
  const shape = readShape(dict.required('shape'), 'shape');
  const list = dict.required('data');
  const data = readPair(list, 'data');
  const strides = readStrides(dict.optional('strides'), shape.length, dtype.itemsize, 'strides');
  const given = dict.optional('offset');
  const elementOffset = given === undefined ? 0 : readCount(given, 'offset');
  const syclobj = readSyclobj(dict.required('syclobj'), 'syclobj');
  if (data.pointer === 0n && !shape.includes(0)) throw nullPointer('data[0]', shape);
  return checkLayout(
    {
      pointer:
        elementOffset === 0
          ? data.pointer
          : pointerFrom(data.pointer, BigInt(elementOffset) * BigInt(dtype.itemsize), shape),
      shape,
      byteStrides: strides,
      dtype,
      readOnly: readOnly ?? data.readOnly,
      syclobj,
      base: Object.freeze({ pointer: data.pointer, elementOffset }),
      owner: ownerOf(list, owner),
    },
    { pointer: given === undefined ? 'data[0]' : 'offset', shape: 'shape', strides: 'strides' },
  );
}

/** Throws ERR_DTYPE_UNSUPPORTED or ERR_BYTE_ORDER unless SUAI has this dtype. */
function assertSyclDType(dtype: DType, path: string): void {
  const { kind, itemsize } = dtype;
  if (!'biufc'.includes(kind) || itemsize > (kind === 'c' ? 16 : 8)) {
    throw mismatch(
      'ERR_DTYPE_UNSUPPORTED',
      path,
      'a bool, integer, float or complex dtype of SUAI',
      show(dtype.typestr),
      'cast it, or use the CUDA or NumPy interface',
    );
  }
  if (dtype.byteOrder === 'big') {
    throw mismatch(
      'ERR_BYTE_ORDER',
      path,
      'native byte order',
      show(dtype.typestr),
      `copy it with { dtype: ${show(`<${dtype.typestr.slice(1)}`)} } first`,
    );
  }
}

/** A SYCL USM Array Interface dict. Strides and offset are in elements. */
export interface SyclUsmArrayInterface {
  /** Lengths of the axes. */
  readonly shape: readonly number[];
  /** The dtype of the elements, as a typestr. */
  readonly typestr: string;
  /**
   * The address that `offset` counts from, not that of the first element, and the read-only flag.
   * The address is always a bigint.
   */
  readonly data: readonly [pointer: bigint, readOnly: boolean];
  /** Strides in elements. Null if they are those of C order. */
  readonly strides: ElementStrides | null;
  /** Elements from `data` to the first one. */
  readonly offset: number;
  /** Version of the interface. */
  readonly version: 1;
  /** The queue, context or selector that the memory belongs to. */
  readonly syclobj: SyclObject;
}

/**
 * Writes a SYCL USM Array Interface dict. Copies nothing and does not block.
 *
 * The pointer is a bigint; strides and `offset` count elements. An array that was read from such a
 * dict keeps its `data` and `offset`. `settled` reports that the caller has waited for the array's
 * stream, which is then omitted. The dict is a claim, not access: only a backend allocates real
 * memory for an empty array. A dict of a backend's array leads to its memory in this process
 * through its `data`, even when the dict is copied. Implements SUAI v1.
 *
 * Of an array of the SYCL backend, `syclobj` is by default the queue that the array's own dict
 * names. An array whose own dict names a stream, as CUDA's do, is refused without `settled`: await
 * `array.synchronize()` first. `array.descriptor` is not: it names none.
 *
 * Throws, checked in this order, ERR_TYPE, ERR_DISPOSED, what the getter of the array's own dict
 * throws, ERR_MASK, ERR_STREAM, ERR_DTYPE_UNSUPPORTED, ERR_BYTE_ORDER, ERR_STRIDE_UNIT,
 * ERR_POINTER_UNKNOWN (JavaScript memory), and for `syclobj` ERR_SYCLOBJ, ERR_POINTER_RANGE (of a
 * capsule) or ERR_TYPE.
 *
 * @example
 * ```ts
 * import { makeDescriptor, slice, toSyclUsmArrayInterface } from '@array-interface/core';
 *
 * const matrix = makeDescriptor({ pointer: 4096, shape: [4, 6], dtype: 'float32' });
 * const column = slice(matrix, [[null, null, -1], 2]);
 * console.log(toSyclUsmArrayInterface(column, { syclobj: 'gpu' }).strides); // [ -6 ]
 * ```
 */
export function toSyclUsmArrayInterface(
  array: DescribedArray,
  options: SettledOption & { readonly syclobj?: SyclObject } = {},
): SyclUsmArrayInterface {
  checkOptions(options, ['syclobj', 'settled']);
  const exported = readExported(array, options, null);
  assertBare(exported, 'SUAI');
  assertSyclDType(exported.dtype, 'typestr');
  const strides = elementStridesOf(exported);
  assertAddress(exported, '');
  const base = exported.base ?? { pointer: exported.pointer, elementOffset: 0 };
  return {
    shape: exported.shape,
    typestr: exported.dtype.typestr,
    data: writeData(base.pointer, exported.readOnly, exported.owner),
    strides,
    offset: base.elementOffset,
    version: 1,
    syclobj: syclobjOf(readOption(options, 'syclobj') ?? exported.syclobj),
  };
}

/** Returns null if the strides are those of C order. */
function elementStridesOf(array: ArrayDescriptor): ElementStrides | null {
  const { itemsize, shape } = array;
  const strides = wholeStrides(array, 'strides');
  const dense = contiguousByteStrides(shape, itemsize);
  return strides.every((stride, axis) => stride * itemsize === dense[axis]) ? null : strides;
}

function syclobjOf(value: unknown): SyclObject {
  if (value !== null && value !== undefined) return readSyclobj(value, 'syclobj');
  throw mismatch(
    'ERR_SYCLOBJ',
    'syclobj',
    'the queue, context or filter selector of the memory',
    'nothing',
    'set syclobj',
  );
}

/**
 * Returns element strides for an interface that counts in elements. Strides of axes with at most
 * one element have no meaning, and are rewritten if they do not fit. Throws ERR_STRIDE_UNIT.
 */
export function wholeStrides(array: ArrayDescriptor, path: string): ElementStrides {
  const { itemsize, shape } = array;
  const dense = contiguousByteStrides(shape, itemsize);
  return array.byteStrides.map((stride, axis) => {
    if (stride % itemsize === 0) return stride / itemsize + 0;
    if ((shape[axis] as number) <= 1) return (dense[axis] as number) / itemsize;
    throw mismatch(
      'ERR_STRIDE_UNIT',
      `${path}[${axis}]`,
      `a whole number of elements of ${itemsize} bytes`,
      `${stride} bytes`,
      'copy the array first',
    );
  });
}
