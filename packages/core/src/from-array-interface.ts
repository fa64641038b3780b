import { readOption } from './argument.js';
import { blame } from './blame.js';
import { memoryOf } from './buffer.js';
import { type Claim, checkLayout, readShape, readStrides } from './check-layout.js';
import { readPair } from './data.js';
import { readElement } from './descr.js';
import type { ArrayDescriptor } from './descriptor.js';
import { Dict } from './dict.js';
import type { ReadOptions } from './from-cuda-array-interface.js';
import { readCount } from './integer.js';
import { outermost, type ReadContext, readMask } from './mask.js';
import { readVersion } from './version.js';

export const HOST_ATTRIBUTE = '__array_interface__';
const OUTERMOST = outermost(HOST_ATTRIBUTE, false);

/**
 * Reads a dict of NumPy's array interface, version 3. `data` is `[pointer, readOnly]`, or an
 * ArrayBuffer, SharedArrayBuffer, typed array or DataView with `offset` in bytes into it: then
 * `buffer` is set and the pointer counts from its first byte. Strides are bytes. Copies nothing,
 * waits for nothing, and keeps only `owner`. Implements NumPy's array interface, "Python side".
 * Throws ERR_TYPE, ERR_MISSING_KEY, ERR_VERSION, ERR_TYPESTR, ERR_DTYPE_UNSUPPORTED, ERR_DESCR,
 * ERR_NEGATIVE_DIMENSION, ERR_RANK_MISMATCH, ERR_OVERFLOW, ERR_POINTER_RANGE, ERR_NULL_POINTER,
 * ERR_MASK, ERR_OUT_OF_BOUNDS (a buffer that is too short).
 */
export function fromArrayInterface(dict: unknown, options: ReadOptions = {}): ArrayDescriptor {
  const owner = readOption(options, 'owner') ?? null;
  try {
    return readHost(dict, owner, OUTERMOST);
  } catch (error) {
    throw blame(error, dict);
  }
}

/** Reads a dict, or the dict of a mask inside one. @internal */
export function readHost(value: unknown, owner: unknown, context: ReadContext): ArrayDescriptor {
  const dict = new Dict(value, context.path, context.prefix);
  readVersion(dict, [3]);
  const dtype = readElement(dict, { bitField: context.isMask });
  const shape = readShape(dict.required('shape'), dict.path('shape'));
  const place = readPlace(dict);
  const byteStrides = readStrides(dict.optional('strides'), shape.length, 1, dict.path('strides'));
  const mask = readMask(dict, HOST_ATTRIBUTE, shape, owner, context, readHost);
  const pointer = dict.path(place.buffer === null ? 'data[0]' : 'offset');
  return checkLayout(
    { ...place, shape, byteStrides, dtype, base: null, stream: null, syclobj: null, mask, owner },
    { pointer, shape: dict.path('shape'), strides: dict.path('strides') },
  );
}

/** Where the elements are: an address, or a place in JavaScript memory. */
function readPlace(dict: Dict): Pick<Claim, 'pointer' | 'readOnly' | 'buffer' | 'bounds'> {
  const data = dict.required('data');
  const memory = memoryOf(data);
  if (memory === null) {
    return { ...readPair(data, dict.path('data'), { null: true }), buffer: null, bounds: null };
  }
  const given = dict.optional('offset');
  const offset = given === undefined ? 0 : readCount(given, dict.path('offset'));
  const { buffer, byteOffset, byteLength } = memory;
  return {
    pointer: BigInt(byteOffset) + BigInt(offset),
    readOnly: false,
    buffer,
    bounds: [byteOffset, byteOffset + byteLength],
  };
}
