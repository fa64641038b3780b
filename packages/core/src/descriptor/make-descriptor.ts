import type { DTypeLike } from '../dtype/dtype.js';
import { readDType } from '../dtype/read-dtype.js';
import { blame } from '../errors/blame.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { guarded, readFlag } from '../input/dict.js';
import { readCount, readPointer, readStream } from '../input/integer.js';
import { readShape } from '../input/shape.js';
import { checkMask } from '../protocols/mask.js';
import { readSyclobj, type SyclObject } from '../protocols/syclobj.js';
import { checkLayout, nullPointer, pointerFrom, readStrides } from './check-layout.js';
import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import type { Base } from './layout.js';
import { memoryOf } from './memory-part.js';
import type { ByteStrides } from './strides.js';

/** The parts of a descriptor; everything but pointer, shape and dtype may be left out. */
export interface DescriptorInit {
  /** Address of the element with all-zero indices, or its place in `buffer` in bytes. */
  readonly pointer: bigint | number;
  readonly shape: readonly number[];
  readonly dtype: DTypeLike;
  /** Null or absent: C-contiguous. */
  readonly byteStrides?: ByteStrides | null;
  readonly readOnly?: boolean;
  readonly stream?: bigint | null;
  readonly syclobj?: unknown;
  readonly base?: Base | null;
  readonly mask?: ArrayDescriptor | null;
  readonly buffer?: ArrayBufferLike | null;
  readonly owner?: unknown;
}

const PATHS = { pointer: 'pointer', shape: 'shape', strides: 'byteStrides' };

/**
 * Makes a descriptor from its parts, checked as the readers check theirs. Strides are bytes, and
 * those of C order where there are none; a pointer into `buffer` counts from its start. Copies no
 * elements, waits for nothing. Each part means what the key of CAI v3 of its name means. Throws
 * ERR_TYPE, ERR_TYPESTR, ERR_DTYPE_UNSUPPORTED, ERR_DESCR, ERR_NEGATIVE_DIMENSION,
 * ERR_RANK_MISMATCH, ERR_OVERFLOW, ERR_POINTER_RANGE, ERR_NULL_POINTER, ERR_STREAM, ERR_SYCLOBJ,
 * ERR_MASK, ERR_ARGUMENT (a base elsewhere), ERR_OUT_OF_BOUNDS.
 */
export function makeDescriptor(init: DescriptorInit): ArrayDescriptor {
  try {
    return make(init);
  } catch (error) {
    throw blame(error, init);
  }
}

function make(init: DescriptorInit): ArrayDescriptor {
  const parts = guarded('ERR_TYPE', 'init', () => partsOf(init));
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

/** Each part read once; not yet known to be what it should. */
function partsOf(init: DescriptorInit) {
  const { pointer, shape, dtype, byteStrides, readOnly, stream } = init;
  const { syclobj, base, mask, buffer, owner } = init;
  return {
    pointer,
    shape,
    dtype,
    byteStrides,
    readOnly,
    stream,
    syclobj,
    base,
    mask,
    buffer,
    owner,
  };
}

function readOwnSyclobj(value: unknown): SyclObject | null {
  return value === null ? null : readSyclobj(value, 'syclobj');
}

/** Bytes that an array in a buffer may touch. Throws ERR_TYPE. */
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
 * Checks that a base leads to the pointer. Throws ERR_TYPE, ERR_POINTER_RANGE, ERR_OVERFLOW,
 * ERR_ARGUMENT, ERR_NULL_POINTER (SUAI has no base at 0 but of an array without elements).
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
      `a base ${elementOffset} elements before pointer ${pointer}`,
      start,
    );
  }
  if (start === 0n && !shape.includes(0)) throw nullPointer(`${path}.pointer`, shape);
  return Object.freeze({ pointer: start, elementOffset });
}

function readOwnMask(mask: unknown, shape: readonly number[]): ArrayDescriptor | null {
  if (mask === null) return null;
  assertArrayDescriptor(mask, 'mask');
  return checkMask(mask, shape, 'mask');
}
