import { type ArrayDescriptor, isArrayDescriptor } from '../descriptor/descriptor.js';
import type { ByteStrides } from '../descriptor/strides.js';
import { toDescr } from '../dtype/descr.js';
import type { Descr } from '../dtype/dtype.js';
import type { NamedDType } from '../dtype/named-dtypes.js';
import { isArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { checkOptions } from '../input/argument.js';
import { notAnArray } from '../input/instead-of-array.js';
import { assertNoBits, type SettledOption, settledBy, WAIT } from '../protocols/assert-writable.js';

/**
 * A descriptor as data that `structuredClone`, threads and JSON can carry. Addresses are decimal
 * strings.
 */
export interface SerializedDescriptor {
  /** Version of this format. */
  readonly version: 1;
  /** The address, or the offset in a buffer, in decimal digits. */
  readonly pointer: string;
  /**
   * Whether the pointer counts from the first byte of a buffer, which `deserialize` must be given.
   */
  readonly inBuffer: boolean;
  /** Lengths of the axes. */
  readonly shape: readonly number[];
  /** Bytes from one element to the next along each axis. */
  readonly byteStrides: ByteStrides;
  /** The dtype of the elements, as a typestr. */
  readonly typestr: string;
  /** Fields of a record. */
  readonly descr?: Descr;
  /** Name of a dtype without a typestr. */
  readonly name?: NamedDType;
  /** Whether the producer forbids writing. */
  readonly readOnly: boolean;
  /** The address and element offset that SUAI counts from. */
  readonly base: { readonly pointer: string; readonly elementOffset: number } | null;
  /** The stream with pending work, in decimal digits, or null. */
  readonly stream: string | null;
  /** Which elements are valid. Null: all are. */
  readonly mask: SerializedDescriptor | null;
}

/**
 * Returns the layout, dtype and addresses of a descriptor, or of an array of a backend, as plain
 * data for `deserialize`. Copies no elements.
 *
 * Omits owner, buffer and `syclobj`. With `settled`, which means that the caller has waited for the
 * stream, also omits the stream. The sender must keep memory and stream alive meanwhile; a ticket
 * of a backend's `share` does that for another thread. Throws ERR_TYPE, ERR_DISPOSED,
 * ERR_DTYPE_UNSUPPORTED (bits, which only a mask can have), ERR_STREAM (the per-thread default
 * stream, which is a different one in another thread: CAI v3, "Synchronization").
 *
 * @example
 * ```ts
 * import type { Worker } from 'node:worker_threads';
 * import { fromProducer } from '@array-interface/core';
 * import { serialize } from '@array-interface/core/serialize';
 *
 * declare const worker: Worker; // it calls `deserialize`
 * const array = fromProducer(new Float32Array(new SharedArrayBuffer(12)));
 * worker.postMessage({ data: serialize(array), buffer: array.buffer });
 * ```
 */
export function serialize(
  array: ArrayDescriptor | { readonly descriptor: ArrayDescriptor },
  options: SettledOption = {},
): SerializedDescriptor {
  const described = describe(array);
  checkOptions(options, ['settled']);
  assertNoBits(described);
  return write(settledBy(described, options), '');
}

function describe(array: unknown): ArrayDescriptor {
  if (isArrayDescriptor(array)) return array;
  const descriptor = descriptorOf(array);
  if (isArrayDescriptor(descriptor)) return descriptor;
  const cure = 'make one with fromProducer() or a from… function';
  const expected = 'an ArrayDescriptor, or an array of a backend';
  const otherwise = { got: show(array), cure };
  throw notAnArray('ERR_TYPE', 'array', expected, array, undefined, otherwise);
}

/** Throws ERR_DISPOSED. An object that is not an array of a backend may throw anything. */
function descriptorOf(value: unknown): unknown {
  try {
    return Object(value).descriptor;
  } catch (error) {
    if (isArrayInterfaceError(error, 'ERR_DISPOSED')) throw error;
    return null;
  }
}

function write(array: ArrayDescriptor, prefix: string): SerializedDescriptor {
  const { dtype, base, mask } = array;
  return {
    version: 1,
    pointer: String(array.pointer),
    inBuffer: array.buffer !== null,
    shape: [...array.shape],
    byteStrides: array.byteStrides,
    typestr: dtype.typestr,
    ...(dtype.fields === null ? {} : { descr: toDescr(dtype) }),
    ...(dtype.name === undefined ? {} : { name: dtype.name }),
    readOnly: array.readOnly,
    base: base && { pointer: String(base.pointer), elementOffset: base.elementOffset },
    stream: plainStream(array.stream, `${prefix}stream`),
    mask: mask && write(mask, 'mask.'),
  };
}

function plainStream(stream: bigint | null, path: string): string | null {
  if (stream !== 2n) return stream === null ? null : String(stream);
  throw mismatch(
    'ERR_STREAM',
    path,
    'a stream that means the same in other threads',
    "2, this thread's default stream",
    WAIT,
  );
}
