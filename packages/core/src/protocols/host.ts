import { type Claim, checkLayout, readStrides } from '../descriptor/check-layout.js';
import type { DescribedArray } from '../descriptor/described-array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { memoryOf } from '../descriptor/memory-part.js';
import type { ByteStrides } from '../descriptor/strides.js';
import { readElement } from '../dtype/descr.js';
import type { Descr } from '../dtype/dtype.js';
import { toDescr } from '../dtype/to-descr.js';
import { mismatch } from '../errors/mismatch.js';
import { withSubject } from '../errors/with-subject.js';
import { checkOptions, readOption } from '../input/argument.js';
import { Dict, readPair, readVersion } from '../input/dict.js';
import { readCount } from '../input/integer.js';
import { readShape } from '../input/shape.js';
import {
  assertNoBits,
  assertSettled,
  readExported,
  type SettledOption,
} from './assert-writable.js';
import { outermost, ownerOfMask, type ReadContext, readMask } from './mask.js';
import { ATTRIBUTES, type InterfaceDict } from './protocol.js';
import { ownerOf, writeData } from './written.js';

const OUTERMOST = outermost(ATTRIBUTES.host, false);

/**
 * Reads a dict of NumPy's array interface, version 3. Copies nothing and does not block.
 *
 * `data` is `[pointer, readOnly]`, or an ArrayBuffer, SharedArrayBuffer, typed array or DataView
 * with `offset` in bytes into it. In the latter case `buffer` is set and the pointer counts from
 * its first byte. Strides are in bytes. Keeps only `owner`: what must stay alive while the memory
 * is used. Implements NumPy's array interface, "Python side". Throws what every reader throws
 * ("Reading an interface" in `docs/errors.md`), and also ERR_MASK and ERR_OUT_OF_BOUNDS (a buffer
 * that is too short).
 *
 * @example
 * ```ts
 * import { fromArrayInterface } from '@array-interface/core';
 *
 * const data = new ArrayBuffer(24);
 * const matrix = fromArrayInterface({ version: 3, shape: [2, 3], typestr: '<f4', data });
 * console.log(matrix.byteStrides); // [ 12, 4 ]
 * ```
 */
export function fromArrayInterface(
  dict: InterfaceDict,
  options: { readonly owner?: unknown } = {},
): ArrayDescriptor {
  checkOptions(options, ['owner']);
  const owner = readOption(options, 'owner') ?? null;
  return withSubject(dict, () => readHost(dict, owner, OUTERMOST));
}

/** Reads a dict, or the dict of a mask inside one. @internal */
export function readHost(value: unknown, owner: unknown, context: ReadContext): ArrayDescriptor {
  const dict = new Dict(value, context.path, context.prefix);
  readVersion(dict, [3]);
  const dtype = readElement(dict, context);
  const shape = readShape(dict.required('shape'), dict.path('shape'));
  const data = dict.required('data');
  const place = readPlace(dict, data);
  const byteStrides = readStrides(dict.optional('strides'), shape.length, 1, dict.path('strides'));
  const mask = readMask(dict, ATTRIBUTES.host, shape, owner, context, readHost);
  const pointer = dict.path(place.buffer === undefined ? 'data[0]' : 'offset');
  return checkLayout(
    { ...place, shape, byteStrides, dtype, mask, owner: ownerOf(data, owner) },
    { pointer, shape: dict.path('shape'), strides: dict.path('strides') },
  );
}

/** Reads the location of the elements: an address, or an offset in JavaScript memory. */
function readPlace(
  dict: Dict,
  data: unknown,
): Pick<Claim, 'pointer' | 'readOnly' | 'buffer' | 'bounds'> {
  const memory = memoryOf(data);
  if (memory === null) return readPair(data, dict.path('data'), true);
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

/** A dict of NumPy's array interface. Strides are in bytes. */
export interface ArrayInterface {
  /** Lengths of the axes. */
  readonly shape: readonly number[];
  /** The dtype of the elements, as a typestr. */
  readonly typestr: string;
  /** The pointer, always a bigint, and the read-only flag; or JavaScript memory. */
  readonly data: readonly [pointer: bigint, readOnly: boolean] | ArrayBufferLike;
  /** Offset of the first element in a buffer, in bytes. */
  readonly offset?: number;
  /** Strides in bytes. Null exactly when C-contiguous. */
  readonly strides: ByteStrides | null;
  /** Version of the interface. */
  readonly version: 3;
  /** Fields of a record. */
  readonly descr?: Descr;
  /** Which elements are valid. */
  readonly mask?: { readonly __array_interface__: ArrayInterface };
}

/**
 * Writes a dict of NumPy's array interface. Copies nothing and does not block.
 *
 * The pointer is a bigint; `strides` are in bytes, and null exactly when C-contiguous. JavaScript
 * memory is written as `data` and `offset`, a mask as a dict of its own. `settled` reports that the
 * caller has waited for the array's stream, which is then omitted. The dict is a claim, not access.
 * A dict of a backend's array leads to its memory in this process through its `data`, even when the
 * dict is copied. Implements NumPy's array interface, version 3.
 *
 * An array of a backend whose own dict names a stream or queue, as CUDA's and SYCL's do, is refused
 * without `settled`: await `array.synchronize()` first. `array.descriptor` is not: it names none.
 *
 * Throws ERR_TYPE, ERR_DTYPE_UNSUPPORTED (bits, which only a mask can have), ERR_STREAM (work may be
 * pending), ERR_READ_ONLY (a buffer cannot be marked read-only), ERR_DISPOSED, and what the getter
 * of the array's own dict throws.
 *
 * @example
 * ```ts
 * import { fromProducer, toArrayInterface } from '@array-interface/core';
 *
 * const dict = toArrayInterface(fromProducer(new Float32Array([1, 2, 3])));
 * console.log(dict.typestr, dict.shape); // <f4 [ 3 ]
 * ```
 */
export function toArrayInterface(
  array: DescribedArray,
  options: SettledOption = {},
): ArrayInterface {
  checkOptions(options, ['settled']);
  const exported = readExported(array, options, 'the dict');
  assertNoBits(exported);
  return write(exported, '', exported.owner);
}

function write(array: ArrayDescriptor, prefix: string, owner: unknown): ArrayInterface {
  assertSettled(array, 'the dict', prefix);
  const mask = array.mask === null ? null : write(array.mask, 'mask.', ownerOfMask(array));
  return {
    shape: array.shape,
    typestr: array.dtype.typestr,
    ...place(array, prefix, owner),
    strides: array.contiguous.c ? null : array.byteStrides,
    version: 3,
    ...(array.dtype.fields === null ? {} : { descr: toDescr(array.dtype) }),
    ...(mask === null ? {} : { mask: { __array_interface__: mask } }),
  };
}

function place(
  array: ArrayDescriptor,
  prefix: string,
  owner: unknown,
): Pick<ArrayInterface, 'data' | 'offset'> {
  const { buffer, pointer, readOnly } = array;
  if (buffer === null) return { data: writeData(pointer, readOnly, owner) };
  if (!readOnly) return { data: buffer, offset: Number(pointer) };
  throw mismatch(
    'ERR_READ_ONLY',
    `${prefix}data`,
    'writable JavaScript memory, whose dict has no read-only flag',
    'a read-only array',
    'copy it first',
  );
}
