import type { DescribedArray } from '../descriptor/described-array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import {
  assertAddress,
  assertSettled,
  readExported,
  type SettledOption,
} from '../protocols/assert-writable.js';
import { formatOf } from './format.js';

/** A column for Arrow, or that of its lists' elements: what goes into one pair of structs. */
export interface ArrowLevel {
  /** Arrow's format string: `l`, `+w:3`. */
  readonly format: string;
  /** How many elements or lists there are. */
  readonly length: number;
  /** Address of the bits that say which are valid; 0 if all are. */
  readonly validity: bigint;
  /** Address of the elements; 0 for lists. */
  readonly values: bigint;
}

/**
 * Writes an array as a column: the first axis counts its elements, and each further one is a list of
 * a fixed length. A mask of bits becomes its validity. Copies nothing. Throws ERR_RANK_MISMATCH (no
 * axis), ERR_DTYPE_UNSUPPORTED, ERR_BYTE_ORDER, ERR_STRIDE_UNIT (not C-contiguous), ERR_MASK,
 * ERR_STREAM, ERR_POINTER_UNKNOWN (JavaScript memory).
 */
export function arrowLevels(array: DescribedArray, options: SettledOption = {}): ArrowLevel[] {
  const exported = readExported(array, options, 'Arrow');
  assertSettled(exported, 'Arrow', '');
  const { shape, size, pointer, dtype } = exported;
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
  assertDense(exported);
  assertAddress(exported, '');
  const validity = validityOf(exported);
  const levels: ArrowLevel[] = [];
  let length = 1;
  for (let axis = 0; axis < shape.length; axis++) {
    length *= shape[axis] as number;
    const isLeaf = axis === shape.length - 1;
    levels.push({
      format: isLeaf ? format : `+w:${shape[axis + 1]}`,
      length,
      validity: axis === validity?.axis ? validity.pointer : 0n,
      values: isLeaf && size > 0 ? pointer : 0n,
    });
  }
  return levels;
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

/** The mask's bits, and the axis at whose level they stand: the last one that the mask has. */
function validityOf({ mask, shape }: ArrayDescriptor): { pointer: bigint; axis: number } | null {
  if (mask === null) return null;
  assertSettled(mask, 'Arrow', 'mask.');
  assertAddress(mask, 'mask.');
  const lengths = [...Array(shape.length - mask.ndim).fill(1), ...mask.shape] as number[];
  const axis = lengths.findLastIndex((length, at) => length === shape[at] && length !== 1);
  const isPrefix = lengths.every((length, at) => length === (at <= axis ? shape[at] : 1));
  if (mask.dtype.kind === 't' && isPrefix)
    return { pointer: mask.pointer, axis: Math.max(0, axis) };
  throw mismatch(
    'ERR_MASK',
    'mask',
    'bits (|t1) for the elements or for the lists that they form',
    `${mask.dtype} of shape ${showList(mask.shape)}`,
    'pass the mask separately',
  );
}
