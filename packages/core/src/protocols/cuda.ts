import { checkLayout, readStrides } from '../descriptor/check-layout.js';
import type { DescribedArray } from '../descriptor/described-array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { ByteStrides } from '../descriptor/strides.js';
import { readElement } from '../dtype/descr.js';
import type { Descr } from '../dtype/dtype.js';
import { toDescr } from '../dtype/to-descr.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { withSubject } from '../errors/with-subject.js';
import { checkOptions, readOption } from '../input/argument.js';
import { Dict, readPair, readVersion } from '../input/dict.js';
import { readStream } from '../input/integer.js';
import { readShape } from '../input/shape.js';
import {
  assertAddress,
  assertNoBits,
  assertSettled,
  readExported,
  type SettledOption,
} from './assert-writable.js';
import { outermost, ownerOfMask, type ReadContext, readMask } from './mask.js';
import { ATTRIBUTES, type InterfaceDict } from './protocol.js';
import { ownerOf, writeData } from './written.js';

const VERSIONS = [0, 1, 2, 3];
const OUTERMOST = outermost(ATTRIBUTES.cuda, false);

/**
 * Reads a CUDA Array Interface dict, versions 0 to 3. Copies nothing and does not block.
 *
 * Strides are in bytes, as in the descriptor. The pointer is a claim. Keeps only `owner`: what must
 * stay alive while the memory is used. Implements CAI v3 "Python Interface Specification". Throws
 * what every reader throws ("Reading an interface" in `docs/errors.md`), and also ERR_STREAM and
 * ERR_MASK.
 *
 * @example
 * ```ts
 * import { fromCudaArrayInterface } from '@array-interface/core';
 *
 * const dict = { version: 3, shape: [4, 6], typestr: '<f4', data: [0x7f0000000000, false] };
 * const matrix = fromCudaArrayInterface(dict);
 * console.log(matrix.byteStrides); // [ 24, 4 ]
 * ```
 */
export function fromCudaArrayInterface(
  dict: InterfaceDict,
  options: { readonly owner?: unknown } = {},
): ArrayDescriptor {
  checkOptions(options, ['owner']);
  const owner = readOption(options, 'owner') ?? null;
  return withSubject(dict, () => readCuda(dict, owner, OUTERMOST));
}

/** Reads a dict, or the dict of a mask inside one. @internal */
export function readCuda(value: unknown, owner: unknown, context: ReadContext): ArrayDescriptor {
  const dict = new Dict(value, context.path, context.prefix);
  readVersion(dict, VERSIONS);
  const dtype = readElement(dict, context);
  const shape = readShape(dict.required('shape'), dict.path('shape'));
  const list = dict.required('data');
  const data = readPair(list, dict.path('data'), true);
  const byteStrides = readStrides(dict.optional('strides'), shape.length, 1, dict.path('strides'));
  const stream = readStream(dict.optional('stream'), dict.path('stream'));
  const mask = readMask(dict, ATTRIBUTES.cuda, shape, owner, context, readCuda);
  return checkLayout(
    {
      pointer: data.pointer,
      shape,
      byteStrides,
      dtype,
      readOnly: data.readOnly,
      stream,
      mask,
      owner: ownerOf(list, owner),
    },
    { pointer: dict.path('data[0]'), shape: dict.path('shape'), strides: dict.path('strides') },
  );
}

/** A CUDA Array Interface dict. Strides are in bytes. `stream` is present from version 3. */
export interface CudaArrayInterface {
  /** Lengths of the axes. */
  readonly shape: readonly number[];
  /** The dtype of the elements, as a typestr. */
  readonly typestr: string;
  /** Pointer and read-only flag. The pointer is always a bigint. */
  readonly data: readonly [pointer: bigint, readOnly: boolean];
  /** Strides in bytes. Null exactly when C-contiguous. */
  readonly strides: ByteStrides | null;
  /** Version of the interface. */
  readonly version: 0 | 1 | 2 | 3;
  /** The stream with pending work, always a bigint, or null. */
  readonly stream?: bigint | null;
  /** Fields of a record. */
  readonly descr?: Descr;
  /** Which elements are valid. */
  readonly mask?: { readonly __cuda_array_interface__: CudaArrayInterface };
}

/**
 * Writes a CUDA Array Interface dict. Copies nothing and does not block.
 *
 * Pointer and stream are bigints; the pointer is 0 for size 0. `strides` are in bytes, and null
 * exactly when C-contiguous. `version` is 3 by default; older versions are for arrays without
 * pending work. With `settled`, which means that the caller has waited for the stream, the dict
 * names no stream in any version. The dict is a claim, not access. A dict of a backend's array
 * leads to its memory in this process through its `data`, even when the dict is copied. Implements
 * CAI v3.
 *
 * Of an array of a backend, the dict names the stream that the array's own dict names, so that no
 * order is lost; that is so even if no work is pending. A descriptor names the stream that it has:
 * `array.descriptor` and core's views of an array have none.
 *
 * Throws ERR_TYPE, ERR_VERSION, ERR_DTYPE_UNSUPPORTED (bits, which only a mask can have), ERR_MASK
 * (version 0), ERR_STREAM (a stream before version 3, or an array with a queue of SYCL),
 * ERR_POINTER_UNKNOWN (JavaScript memory, whose address core does not know), ERR_DISPOSED, and what
 * the getter of the array's own dict throws.
 *
 * @example
 * ```ts
 * import { toCudaArrayInterface } from '@array-interface/core';
 * import { cuda } from '@array-interface/cuda';
 *
 * using array = cuda.empty([2, 3], 'float32');
 * console.log(toCudaArrayInterface(array).strides); // null
 * console.log(toCudaArrayInterface(array.transpose()).strides); // [ 4, 12 ]
 * ```
 */
export function toCudaArrayInterface(
  array: DescribedArray,
  options: SettledOption & { readonly version?: 0 | 1 | 2 | 3 } = {},
): CudaArrayInterface {
  checkOptions(options, ['version', 'settled']);
  const version = readOption(options, 'version', 3);
  if (![0, 1, 2, 3].includes(version)) {
    throw mismatch('ERR_VERSION', 'version', '0, 1, 2 or 3', show(version));
  }
  const exported = readExported(array, options, 'the dict');
  assertNoBits(exported);
  return write(exported, version, '', exported.owner);
}

function write(
  array: ArrayDescriptor,
  version: 0 | 1 | 2 | 3,
  prefix: string,
  owner: unknown,
): CudaArrayInterface {
  if (array.mask !== null && version === 0) {
    throw mismatch(
      'ERR_MASK',
      'mask',
      'an array without a mask for version 0',
      'a masked one',
      'write version 1 or later',
    );
  }
  if (version < 3) assertSettled(array, `version ${version}`, prefix);
  assertAddress(array, prefix);
  const mask = array.mask === null ? null : write(array.mask, version, 'mask.', ownerOfMask(array));
  return {
    shape: array.shape,
    typestr: array.dtype.typestr,
    data: writeData(array.size === 0 ? 0n : array.pointer, array.readOnly, owner),
    strides: array.contiguous.c ? null : array.byteStrides,
    version,
    ...(version === 3 ? { stream: array.stream } : {}),
    ...(array.dtype.fields === null ? {} : { descr: toDescr(array.dtype) }),
    ...(mask === null ? {} : { mask: { __cuda_array_interface__: mask } }),
  };
}
