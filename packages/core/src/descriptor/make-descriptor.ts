import type { DTypeLike } from '../dtype/dtype.js';
import { readDType } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { withSubject } from '../errors/with-subject.js';
import { checkOptions } from '../input/argument.js';
import { guarded, readFlag } from '../input/dict.js';
import { readCount, readPointer, readStream } from '../input/integer.js';
import { readShape } from '../input/shape.js';
import { checkLayout, nullPointer, PATHS, pointerFrom, readStrides } from './check-layout.js';
import { type DescribedArray, describeArray } from './described-array.js';
import type { ArrayDescriptor } from './descriptor.js';
import type { Base } from './layout.js';
import { checkMask } from './mask.js';
import { memoryOf } from './memory-part.js';
import type { ByteStrides } from './strides.js';
import { readSyclobj, type SyclObject } from './syclobj.js';

/** The parts of a descriptor. Only pointer, shape and dtype are required. */
export interface DescriptorInit {
  /** Address of the element with all-zero indices, or its offset in bytes in `buffer`. */
  readonly pointer: bigint | number;
  /** Lengths of the axes. */
  readonly shape: readonly number[];
  /** The dtype of the elements. */
  readonly dtype: DTypeLike;
  /** Bytes from one element to the next along each axis. Null or absent: C-contiguous. */
  readonly byteStrides?: ByteStrides | null;
  /** Whether the producer forbids writing. Default: false. */
  readonly readOnly?: boolean;
  /** The CUDA stream with pending work. Default: none. */
  readonly stream?: bigint | null;
  /** The SYCL queue, context or selector that the memory belongs to. */
  readonly syclobj?: unknown;
  /** The address and element offset that SUAI counts from. */
  readonly base?: Base | null;
  /** Which elements are valid. Null or absent: all are. */
  readonly mask?: DescribedArray | null;
  /** The JavaScript buffer that holds the elements. The pointer then counts from its start. */
  readonly buffer?: ArrayBufferLike | null;
  /** What must stay alive while the memory is used. */
  readonly owner?: unknown;
}

const PARTS = [
  'pointer',
  'shape',
  'dtype',
  'byteStrides',
  'readOnly',
  'base',
  'stream',
  'syclobj',
  'mask',
  'buffer',
  'owner',
] as const satisfies readonly (keyof DescriptorInit)[];

/**
 * Makes a descriptor from its parts, and checks them as the readers do. Copies no elements and does
 * not block.
 *
 * Strides are in bytes; without strides the array is in C order. A pointer into `buffer` counts
 * from its start. Each part means what the key of the same name means in CAI v3. Throws what every
 * reader throws, and also ERR_ARGUMENT (a base that does not lead to the pointer, an unknown part)
 * and ERR_OUT_OF_BOUNDS (beyond the buffer).
 *
 * @example
 * ```ts
 * import { makeDescriptor } from '@array-interface/core';
 *
 * const buffer = new ArrayBuffer(24);
 * const matrix = makeDescriptor({ pointer: 0, shape: [2, 3], dtype: 'float32', buffer });
 * console.log(matrix.byteStrides); // [ 12, 4 ]
 * ```
 */
export function makeDescriptor(init: DescriptorInit): ArrayDescriptor {
  return withSubject(init, () => make(init));
}

function make(init: DescriptorInit): ArrayDescriptor {
  const parts = partsOf(init);
  const shape = readShape(parts.shape, 'shape');
  const dtype = readDType(parts.dtype, 'dtype');
  const pointer = readPointer(parts.pointer, 'pointer');
  const strides = readStrides(parts.byteStrides, shape.length, 1, 'byteStrides');
  const buffer = parts.buffer ?? null;
  return checkLayout(
    {
      pointer,
      shape,
      dtype,
      byteStrides: strides,
      readOnly: readFlag(parts.readOnly ?? false, 'readOnly'),
      stream: readStream(parts.stream, 'stream'),
      syclobj: readOwnSyclobj(parts.syclobj ?? null),
      base: readBase(parts.base ?? null, pointer, shape, dtype.itemsize),
      mask: readOwnMask(parts.mask ?? null, shape),
      buffer,
      bounds: buffer === null ? null : boundsOf(buffer),
      owner: parts.owner ?? null,
    },
    PATHS,
  );
}

/** Reads each part once. Does not check them. */
function partsOf(init: DescriptorInit): Record<(typeof PARTS)[number], never> {
  const parts = guarded('ERR_TYPE', 'init', () => PARTS.map((part) => [part, init[part]]));
  checkOptions(init, PARTS);
  return Object.fromEntries(parts);
}

function readOwnSyclobj(value: unknown): SyclObject | null {
  return value === null ? null : readSyclobj(value, 'syclobj');
}

/** Returns the range of bytes that an array in a buffer may occupy. Throws ERR_TYPE. */
export function boundsOf(buffer: ArrayBufferLike): readonly [number, number] {
  const memory = memoryOf(buffer);
  if (memory !== null && memory.buffer === buffer) return [0, memory.byteLength];
  throw mismatch(
    'ERR_TYPE',
    'buffer',
    'an ArrayBuffer or SharedArrayBuffer',
    show(buffer),
    "pass a view's buffer instead",
  );
}

/**
 * Reads a base and checks that it leads to the pointer. Throws ERR_TYPE, ERR_POINTER_RANGE,
 * ERR_OVERFLOW, ERR_ARGUMENT, ERR_NULL_POINTER (in SUAI only an empty array has a base at 0).
 */
export function readBase(
  base: Base | null,
  pointer: bigint,
  shape: readonly number[],
  itemsize: number,
  path = 'base',
): Base | null {
  if (base === null) return null;
  const [first, offset] = guarded('ERR_TYPE', path, () => [base.pointer, base.elementOffset]);
  const start = readPointer(first, `${path}.pointer`);
  const elementOffset = readCount(offset, `${path}.elementOffset`);
  if (pointerFrom(start, BigInt(elementOffset) * BigInt(itemsize), shape) !== pointer) {
    throw mismatch(
      'ERR_ARGUMENT',
      path,
      `a base pointer ${elementOffset} elements before ${pointer}`,
      start,
    );
  }
  if (start === 0n && !shape.includes(0)) throw nullPointer(`${path}.pointer`, shape);
  return Object.freeze({ pointer: start, elementOffset });
}

function readOwnMask(mask: unknown, shape: readonly number[]): ArrayDescriptor | null {
  if (mask === null) return null;
  return checkMask(describeArray(mask, 'mask'), shape, 'mask');
}
