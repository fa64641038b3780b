import { readOption } from './argument.js';
import { blame } from './blame.js';
import { checkLayout, nullPointer, pointerFrom, readShape, readStrides } from './check-layout.js';
import { readPair } from './data.js';
import type { ArrayDescriptor } from './descriptor.js';
import { Dict } from './dict.js';
import type { DType } from './dtype.js';
import { ArrayInterfaceError } from './error.js';
import type { ReadOptions } from './from-cuda-array-interface.js';
import { readCount } from './integer.js';
import { show } from './show.js';
import { readSyclobj } from './syclobj.js';
import { parseTypestr } from './typestr.js';
import { readVersion } from './version.js';

/** What `fromSyclUsmArrayInterface` is told besides the dict. */
export interface SyclReadOptions extends ReadOptions {
  /** Overrides the dict's flag: `dpctl.memory` objects always say read-only. */
  readonly readOnly?: boolean;
}

export const SYCL_ATTRIBUTE = '__sycl_usm_array_interface__';
const RULES = { equalsSign: true };

/**
 * Reads a SYCL USM Array Interface dict, version 1; strides and offset count elements, those of the
 * descriptor bytes. Copies nothing, waits for nothing, and keeps only `owner` and `syclobj`.
 * Implements SUAI v1. Throws ERR_TYPE, ERR_MISSING_KEY, ERR_VERSION, ERR_TYPESTR,
 * ERR_DTYPE_UNSUPPORTED, ERR_NEGATIVE_DIMENSION, ERR_RANK_MISMATCH, ERR_OVERFLOW,
 * ERR_POINTER_RANGE, ERR_NULL_POINTER, ERR_BYTE_ORDER, ERR_SYCLOBJ, ERR_ARGUMENT (the option
 * `readOnly`).
 */
export function fromSyclUsmArrayInterface(
  value: unknown,
  options: SyclReadOptions = {},
): ArrayDescriptor {
  const readOnly = readOverride(readOption(options, 'readOnly'));
  const owner = readOption(options, 'owner') ?? null;
  try {
    return readSycl(value, owner, readOnly);
  } catch (error) {
    throw blame(error, value);
  }
}

function readSycl(value: unknown, owner: unknown, readOnly: boolean | undefined): ArrayDescriptor {
  const dict = new Dict(value, SYCL_ATTRIBUTE);
  readVersion(dict, [1]);
  const dtype = parseTypestr(dict.required('typestr'), 'typestr', RULES);
  assertSyclDType(dtype, 'typestr');
  const shape = readShape(dict.required('shape'), 'shape');
  const data = readPair(dict.required('data'), 'data', { null: false });
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
      stream: null,
      syclobj,
      mask: null,
      buffer: null,
      bounds: null,
      base: Object.freeze({ pointer: data.pointer, elementOffset }),
      owner,
    },
    { pointer: given === undefined ? 'data[0]' : 'offset', shape: 'shape', strides: 'strides' },
  );
}

/** Throws unless SUAI has this dtype: ERR_DTYPE_UNSUPPORTED, ERR_BYTE_ORDER. */
export function assertSyclDType(dtype: DType, path: string): void {
  const { kind, itemsize } = dtype;
  if (!'biufc'.includes(kind) || itemsize > (kind === 'c' ? 16 : 8)) {
    throw new ArrayInterfaceError(
      'ERR_DTYPE_UNSUPPORTED',
      path,
      `expected a bool, integer, float or complex dtype of SUAI, got ${show(dtype.typestr)}; ` +
        'cast it, or keep to the CUDA or NumPy interface',
    );
  }
  if (dtype.byteOrder !== 'big') return;
  throw new ArrayInterfaceError(
    'ERR_BYTE_ORDER',
    path,
    `expected native byte order, got ${show(dtype.typestr)}; swap the bytes first`,
  );
}

function readOverride(value: unknown): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'readOnly',
    `expected true, false or nothing, got ${show(value)}`,
  );
}
