import { checkLayout, readShape, readStrides } from './check-layout.js';
import { readPair } from './data.js';
import { readDescr } from './descr.js';
import type { ArrayDescriptor } from './descriptor.js';
import { Dict } from './dict.js';
import { readStream } from './integer.js';
import { readMask } from './mask.js';
import { parseTypestr } from './typestr.js';
import { readVersion } from './version.js';

/** What a reader is told besides the dict. */
export interface ReadOptions {
  /** What must stay alive while the memory is used; the descriptor keeps it. Default: nothing. */
  readonly owner?: unknown;
}

/** What is different for a mask, and who keeps whom. @internal */
export interface ReadContext {
  /** Of the dict inside the outermost one: `mask.`. */
  readonly prefix: string;
  /** Where the dict itself stands, for errors. */
  readonly path: string;
  readonly isMask: boolean;
  /** Whether a mask's producer becomes the mask's owner, as `describe` wants. */
  readonly keepMasks: boolean;
}

export const CUDA_ATTRIBUTE = '__cuda_array_interface__';
const VERSIONS = [0, 1, 2, 3];

/**
 * Reads a CUDA Array Interface dict, versions 0 to 3. Copies nothing, waits for nothing, and keeps
 * only `owner`; the pointer is a claim. Implements CAI v3 "Python Interface Specification". Throws
 * every code of the reading table.
 */
export function fromCudaArrayInterface(dict: unknown, options: ReadOptions = {}): ArrayDescriptor {
  const context = { prefix: '', path: CUDA_ATTRIBUTE, isMask: false, keepMasks: false };
  return readCuda(dict, options.owner ?? null, context);
}

/** @internal */
export function readCuda(value: unknown, owner: unknown, context: ReadContext): ArrayDescriptor {
  const dict = new Dict(value, context.path, context.prefix);
  const at = (key: string) => dict.path(key);
  readVersion(dict, VERSIONS);
  const plain = parseTypestr(dict.required('typestr'), at('typestr'), { bitField: context.isMask });
  const descr = dict.optional('descr');
  const dtype =
    descr === null || descr === undefined ? plain : readDescr(descr, plain, at('descr'));
  const shape = readShape(dict.required('shape'), at('shape'));
  const { pointer, readOnly } = readPair(dict.required('data'), at('data'), { null: true });
  const strides = readStrides(dict.optional('strides'), shape.length, 1, at('strides'));
  const stream = readStream(dict.optional('stream'), at('stream'));
  const mask = readMask(
    dict.optional('mask'),
    CUDA_ATTRIBUTE,
    shape,
    at('mask'),
    (inner, producer) =>
      readCuda(inner, context.keepMasks ? producer : owner, maskContext(context, at('mask'))),
  );
  return checkLayout(
    {
      pointer,
      shape,
      byteStrides: strides,
      dtype,
      readOnly,
      stream,
      mask,
      owner,
      base: null,
      syclobj: null,
      buffer: null,
      bounds: null,
    },
    { pointer: at('data[0]'), shape: at('shape'), strides: at('strides') },
  );
}

/** The context of a mask's dict. @internal */
export function maskContext(context: ReadContext, path: string): ReadContext {
  return { ...context, prefix: `${path}.`, path, isMask: true };
}
