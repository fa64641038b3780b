import type { DescribedArray } from '../descriptor/described-array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { ByteStrides } from '../descriptor/strides.js';
import type { Descr } from '../dtype/dtype.js';
import { type NamedDType, ownName } from '../dtype/named-dtypes.js';
import { toDescr } from '../dtype/to-descr.js';
import { mismatch } from '../errors/mismatch.js';
import { checkOptions } from '../input/argument.js';
import {
  assertNoBits,
  readExported,
  type SettledOption,
  WAIT,
} from '../protocols/assert-writable.js';

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
 * Omits owner, buffer and `syclobj`. Of an array of a backend, writes the stream that its own dict
 * names. With `settled`, which means that the caller has waited for the work on the array, also
 * omits the stream. The sender must keep memory and stream alive meanwhile; a ticket of a backend's
 * `share` does that for another thread. Throws ERR_TYPE, ERR_DISPOSED, ERR_DTYPE_UNSUPPORTED (bits,
 * which only a mask can have), ERR_STREAM (an array with a queue of SYCL; the per-thread default
 * stream, which is a different one in another thread: CAI v3, "Synchronization"), and what the
 * getter of the array's own dict throws.
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
  array: DescribedArray,
  options: SettledOption = {},
): SerializedDescriptor {
  checkOptions(options, ['settled']);
  const exported = readExported(array, options, 'plain data');
  assertNoBits(exported);
  return write(exported, '');
}

function write(array: ArrayDescriptor, prefix: string): SerializedDescriptor {
  const { dtype, base, mask } = array;
  const name = ownName(dtype);
  return {
    version: 1,
    pointer: String(array.pointer),
    inBuffer: array.buffer !== null,
    shape: [...array.shape],
    byteStrides: array.byteStrides,
    typestr: dtype.typestr,
    ...(dtype.fields === null ? {} : { descr: toDescr(dtype) }),
    ...(name === undefined ? {} : { name }),
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
