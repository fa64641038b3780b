import { checkLayout, readStrides } from '../descriptor/check-layout.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { Base } from '../descriptor/layout.js';
import { boundsOf, readBase } from '../descriptor/make-descriptor.js';
import { checkMask, maskOfMask } from '../descriptor/mask.js';
import { readSyclobj, type SyclObject } from '../descriptor/syclobj.js';
import { readElement } from '../dtype/descr.js';
import type { DType } from '../dtype/dtype.js';
import { ownName } from '../dtype/named-dtypes.js';
import { readDType } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { withSubject } from '../errors/with-subject.js';
import { checkOptions, readOption } from '../input/argument.js';
import { Dict, readFlag, readVersion } from '../input/dict.js';
import { readCount, readPointer, readStream } from '../input/integer.js';
import { readShape } from '../input/shape.js';

/** What plain data cannot carry, so that the caller of `deserialize` supplies it again. */
export interface DeserializeOptions {
  /** What must stay alive while the memory is used. Default: nothing. */
  readonly owner?: unknown;
  /** The buffer that contains the array, if `inBuffer` is true. */
  readonly buffer?: ArrayBufferLike;
  /** The queue, context or selector that the memory belongs to. */
  readonly syclobj?: SyclObject;
  /** Owner and buffer of the mask. Default: those of the array. */
  readonly mask?: { readonly owner?: unknown; readonly buffer?: ArrayBufferLike };
}

/** What plain data omits from an array or its mask. */
type PlainResources = Pick<DeserializeOptions, 'owner' | 'buffer'>;

/**
 * Reads what `serialize` wrote. Copies nothing and does not block.
 *
 * Checks the data as every reader does, since it may come from anywhere. Keeps only what the
 * options name; memory and stream must be kept alive on this side, too. Strides are in bytes;
 * pointers and streams are decimal strings. Throws what every reader throws, and also ERR_ARGUMENT
 * (a base that does not lead to the pointer), ERR_OUT_OF_BOUNDS, and ERR_POINTER_UNKNOWN (no buffer
 * given).
 *
 * @example
 * ```ts
 * import { parentPort } from 'node:worker_threads';
 * import { deserialize } from '@array-interface/core/serialize';
 *
 * parentPort?.on('message', ({ data, buffer }) => {
 *   const array = deserialize(data, { buffer }); // a descriptor over the sent buffer
 * });
 * ```
 */
export function deserialize(data: unknown, options: DeserializeOptions = {}): ArrayDescriptor {
  checkOptions(options, ['owner', 'buffer', 'syclobj', 'mask']);
  const syclobj = readOption(options, 'syclobj');
  const queue = syclobj === undefined ? null : readSyclobj(syclobj, 'syclobj');
  const array = resourcesOf(options);
  const masks = readOption(options, 'mask');
  return withSubject(data, () =>
    read(data, array, masks === undefined ? array : resourcesOf(masks), queue, ''),
  );
}

function read(
  data: unknown,
  resources: PlainResources,
  resourcesOfMask: PlainResources,
  syclobj: SyclObject | null,
  prefix: string,
): ArrayDescriptor {
  const dict = new Dict(data, prefix === '' ? 'data' : 'mask', prefix);
  const at = (key: string) => dict.path(key);
  readVersion(dict, [1]);
  const dtype = readNamed(dict, prefix !== '');
  const shape = readShape(dict.required('shape'), at('shape'));
  const pointer = readPointer(decimal(dict.required('pointer'), at('pointer')), at('pointer'));
  const buffer = readFlag(dict.required('inBuffer'), at('inBuffer'))
    ? bufferOf(resources, at('inBuffer'))
    : null;
  return checkLayout(
    {
      pointer,
      shape,
      byteStrides: readStrides(dict.required('byteStrides'), shape.length, 1, at('byteStrides')),
      dtype,
      readOnly: readFlag(dict.required('readOnly'), at('readOnly')),
      base: readBase(plainBase(dict), pointer, shape, dtype.itemsize, at('base')),
      stream: readPlainStream(dict),
      syclobj,
      mask: readPlainMask(dict, shape, resourcesOfMask, prefix),
      buffer,
      bounds: buffer === null ? null : boundsOf(buffer),
      owner: resources.owner ?? null,
    },
    { pointer: at('pointer'), shape: at('shape'), strides: at('byteStrides') },
  );
}

function readNamed(dict: Dict, isMask: boolean): DType {
  const dtype = readElement(dict, { isMask });
  const name = dict.optional('name');
  if (name === undefined) return dtype;
  const named = readDType(name, dict.path('name'));
  if (ownName(named) !== undefined && named.typestr === dtype.typestr && dtype.fields === null) {
    return named;
  }
  throw mismatch(
    'ERR_DTYPE_UNSUPPORTED',
    dict.path('name'),
    `the name of a dtype of ${dtype.itemsize} opaque bytes`,
    show(name),
  );
}

/** Reads a non-negative integer in decimal digits. Does not check its size. Throws ERR_TYPE. */
function decimal(value: unknown, path: string): bigint {
  if (typeof value === 'string' && /^(0|[1-9]\d{0,99})$/.test(value)) return BigInt(value);
  throw mismatch('ERR_TYPE', path, 'an integer as a string of decimal digits', show(value));
}

function readPlainStream(dict: Dict): bigint | null {
  const path = dict.path('stream');
  const stream = dict.required('stream');
  return readStream(stream === null ? null : decimal(stream, path), path);
}

function plainBase(dict: Dict): Base | null {
  const value = dict.required('base');
  if (value === null) return null;
  const path = dict.path('base');
  const base = new Dict(value, path, `${path}.`);
  return {
    pointer: decimal(base.required('pointer'), base.path('pointer')),
    elementOffset: readCount(base.required('elementOffset'), base.path('elementOffset')),
  };
}

function readPlainMask(
  dict: Dict,
  shape: readonly number[],
  resources: PlainResources,
  prefix: string,
): ArrayDescriptor | null {
  const path = dict.path('mask');
  const mask = dict.required('mask');
  if (mask === null) return null;
  if (prefix !== '') throw maskOfMask(path);
  return checkMask(read(mask, resources, resources, null, 'mask.'), shape, path);
}

/** Reads each option once. Throws ERR_ARGUMENT. */
function resourcesOf(options: PlainResources): PlainResources {
  return { owner: readOption(options, 'owner'), buffer: readOption(options, 'buffer') };
}

function bufferOf({ buffer }: PlainResources, path: string): ArrayBufferLike {
  if (buffer !== undefined) return buffer;
  throw mismatch(
    'ERR_POINTER_UNKNOWN',
    path,
    'the buffer that holds the array',
    'none',
    'send it along, and pass it as an option',
  );
}
