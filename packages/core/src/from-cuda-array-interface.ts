import { readOption } from './argument.js';
import { blame } from './blame.js';
import { checkLayout, readShape, readStrides } from './check-layout.js';
import { readPair } from './data.js';
import { readElement } from './descr.js';
import type { ArrayDescriptor } from './descriptor.js';
import { Dict } from './dict.js';
import { readStream } from './integer.js';
import { outermost, type ReadContext, readMask } from './mask.js';
import { readVersion } from './version.js';

/** What a reader is told besides the dict. */
export interface ReadOptions {
  /** What must stay alive while the memory is used; the descriptor keeps it. Default: nothing. */
  readonly owner?: unknown;
}

export const CUDA_ATTRIBUTE = '__cuda_array_interface__';
const VERSIONS = [0, 1, 2, 3];
const OUTERMOST = outermost(CUDA_ATTRIBUTE, false);

/**
 * Reads a CUDA Array Interface dict, versions 0 to 3; strides are bytes, as in the descriptor.
 * Copies nothing, waits for nothing, and keeps only `owner`; the pointer is a claim. Implements CAI
 * v3 "Python Interface Specification". Throws ERR_TYPE, ERR_MISSING_KEY, ERR_VERSION, ERR_TYPESTR,
 * ERR_DTYPE_UNSUPPORTED, ERR_DESCR, ERR_NEGATIVE_DIMENSION, ERR_RANK_MISMATCH, ERR_OVERFLOW,
 * ERR_POINTER_RANGE, ERR_NULL_POINTER, ERR_STREAM, ERR_MASK.
 */
export function fromCudaArrayInterface(dict: unknown, options: ReadOptions = {}): ArrayDescriptor {
  const owner = readOption(options, 'owner') ?? null;
  try {
    return readCuda(dict, owner, OUTERMOST);
  } catch (error) {
    throw blame(error, dict);
  }
}

/** Reads a dict, or the dict of a mask inside one. @internal */
export function readCuda(value: unknown, owner: unknown, context: ReadContext): ArrayDescriptor {
  const dict = new Dict(value, context.path, context.prefix);
  readVersion(dict, VERSIONS);
  const dtype = readElement(dict, { bitField: context.isMask });
  const shape = readShape(dict.required('shape'), dict.path('shape'));
  const data = readPair(dict.required('data'), dict.path('data'), { null: true });
  const byteStrides = readStrides(dict.optional('strides'), shape.length, 1, dict.path('strides'));
  const stream = readStream(dict.optional('stream'), dict.path('stream'));
  const mask = readMask(dict, CUDA_ATTRIBUTE, shape, owner, context, readCuda);
  return checkLayout(
    {
      pointer: data.pointer,
      shape,
      byteStrides,
      dtype,
      readOnly: data.readOnly,
      base: null,
      stream,
      syclobj: null,
      mask,
      buffer: null,
      bounds: null,
      owner,
    },
    { pointer: dict.path('data[0]'), shape: dict.path('shape'), strides: dict.path('strides') },
  );
}
