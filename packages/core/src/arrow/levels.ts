import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { assertAddress } from '../protocols/assert-writable.js';
import { formatOf } from './format.js';

/** A column for Arrow, or that of its lists' elements: what goes into one pair of structs. */
export interface ArrowLevel {
  /** Arrow's format string: `l`, `+w:3`. */
  readonly format: string;
  /** How many elements or lists there are. */
  readonly length: number;
  /** Whether the array's mask says which of them are valid. */
  readonly isMasked: boolean;
  /** Address of the elements; 0 for lists. */
  readonly values: bigint;
}

/** Arrow counts the elements of a list in 32 bits. */
const LONGEST_LIST = 2 ** 31 - 1;

/**
 * Writes an array as a column: the first axis counts its elements, and each further one is a list of
 * a fixed length. A mask of bits becomes its validity. Copies nothing. Throws ERR_RANK_MISMATCH (no
 * axis), ERR_DTYPE_UNSUPPORTED, ERR_BYTE_ORDER, ERR_STRIDE_UNIT (not C-contiguous), ERR_MASK,
 * ERR_OVERFLOW, ERR_POINTER_UNKNOWN (JavaScript memory).
 */
export function arrowLevels(array: ArrayDescriptor): ArrowLevel[] {
  const { shape, size, pointer, dtype } = array;
  if (shape.length === 0) {
    throw mismatch(
      'ERR_RANK_MISMATCH',
      'array',
      'an array with an axis, along which a column has its elements',
      'one element without an axis',
      'reshape it to [1]',
    );
  }
  const format = formatOf(dtype);
  assertDense(array);
  assertAddress(array, '');
  const counts = countsOf(shape);
  const masked = maskedAxis(array);
  return shape.map((_, axis) => {
    const list = shape[axis + 1];
    return {
      format: list === undefined ? format : `+w:${list}`,
      length: counts[axis] as number,
      isMasked: axis === masked,
      values: list === undefined && size > 0 ? pointer : 0n,
    };
  });
}

function assertDense({ contiguous, shape, byteStrides }: ArrayDescriptor): void {
  if (contiguous.c) return;
  throw mismatch(
    'ERR_STRIDE_UNIT',
    'byteStrides',
    'elements in C order without gaps, as a column has them',
    `shape ${showList(shape)} with byte strides ${showList(byteStrides)}`,
    'copy it with array()',
  );
}

/** How many lists or elements there are up to each axis. Even an empty array may have too many. */
function countsOf(shape: readonly number[]): number[] {
  const counts: number[] = [];
  for (const length of shape) counts.push((counts.at(-1) ?? 1) * length);
  const isCounted = counts.every(Number.isSafeInteger);
  if (isCounted && shape.slice(1).every((length) => length <= LONGEST_LIST)) return counts;
  throw mismatch(
    'ERR_OVERFLOW',
    'shape',
    `lists of at most ${LONGEST_LIST} elements, and at most 2^53 - 1 in all`,
    showList(shape),
    'reshape it first',
  );
}

/** The axis at whose level the bits of the mask stand: the last one that it has. -1 if none. */
function maskedAxis({ mask, shape }: ArrayDescriptor): number {
  if (mask === null) return -1;
  const lengths = [...Array(shape.length - mask.ndim).fill(1), ...mask.shape] as number[];
  const axis = Math.max(
    0,
    lengths.findLastIndex((length) => length !== 1),
  );
  const isPrefix = lengths.every((length, at) => length === (at <= axis ? shape[at] : 1));
  if (mask.dtype.kind === 't' && isPrefix) return axis;
  throw mismatch(
    'ERR_MASK',
    'mask',
    'a bit (|t1) for each element, or for each list that they form',
    `${mask.dtype.typestr} of shape ${showList(mask.shape)}`,
    'fill what it leaves out, and pass the array without it',
  );
}
