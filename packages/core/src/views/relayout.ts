import { checkLayout, readStrides } from '../descriptor/check-layout.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { ByteStrides, ElementStrides } from '../descriptor/strides.js';
import type { DType, DTypeLike } from '../dtype/dtype.js';
import { readDType } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { readCount, toCount } from '../input/integer.js';
import { readShape } from '../input/shape.js';
import { makeView } from './make-view.js';
import { view } from './view.js';

/**
 * Another layout for the bytes of a source. Offsets count from the source's element with all-zero
 * indices: the first byte of a typed array or a buffer. No element may lie outside the bytes that
 * the source spans, which for a typed array are its own and not those of its whole buffer.
 */
export interface LayoutOptions {
  /**
   * Lengths of the axes. Default: the source's; after an offset, as many elements as are left on its
   * one axis.
   */
  readonly shape?: readonly number[];
  /** Dtype of the elements, which are not converted. Default: the source's dtype. */
  readonly dtype?: DTypeLike;
  /**
   * Bytes from one element to the next along each axis; negative if the axis is reversed. Default:
   * C order, of which the source must be itself, or the source's own strides if only the dtype
   * changes.
   */
  readonly byteStrides?: ByteStrides | null;
  /** The same in elements of the dtype. Exclusive with `byteStrides`. */
  readonly elementStrides?: ElementStrides | null;
  /** Bytes to the element with all-zero indices. Need not be a multiple of the itemsize. Default: 0. */
  readonly byteOffset?: number;
  /** The same in elements of the dtype. Exclusive with `byteOffset`. */
  readonly elementOffset?: number;
}

/** The extent of a layout fits these, so that it is checked against the source's own. */
const ANYWHERE = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;

/**
 * Returns a view of the bytes that an array spans in another layout, or the array if the options
 * name none. Copies nothing. Throws ERR_ARGUMENT (both of a pair, a missing shape),
 * ERR_OUT_OF_BOUNDS, ERR_NOT_A_VIEW (no strides for an array that is not in C order, a dtype that
 * leaves a rest), ERR_MASK, and what readers throw for shape, strides and dtype.
 */
export function relayout(array: ArrayDescriptor, options: LayoutOptions): ArrayDescriptor {
  const { shape: lengths, dtype: like, byteOffset, elementOffset } = options;
  const byteStrides = options.byteStrides ?? undefined;
  const elementStrides = options.elementStrides ?? undefined;
  const stridesPath = given('byteStrides', byteStrides, 'elementStrides', elementStrides);
  const offsetPath = given('byteOffset', byteOffset, 'elementOffset', elementOffset);
  if (lengths === undefined && stridesPath === null && offsetPath === null) {
    return like === undefined ? array : view(array, like);
  }
  if (array.mask !== null) throw masked();
  const dtype = like === undefined ? array.dtype : readDType(like, 'dtype');
  const { itemsize } = dtype;
  const shift = offsetPath === null ? 0 : bytesOf(options, offsetPath, itemsize);
  const shape =
    lengths === undefined
      ? lengthsLeft(array, dtype, shift, stridesPath !== null)
      : readShape(lengths, 'shape');
  const unit = stridesPath === 'elementStrides' ? itemsize : 1;
  const steps = byteStrides ?? elementStrides;
  const strides = readStrides(steps, shape.length, unit, stridesPath ?? 'byteStrides');
  if (strides === null) assertOrdered(array);
  const paths = { pointer: 'shape', shape: 'shape', strides: stridesPath ?? 'shape' };
  const place = { pointer: 0n, readOnly: array.readOnly, bounds: ANYWHERE };
  const made = checkLayout({ ...place, shape, dtype, byteStrides: strides }, paths);
  assertWithin(array, made, shift, offsetPath ?? 'shape');
  return makeView(array, { shape, byteStrides: made.byteStrides, dtype, shift }, null);
}

/** Returns the name of the option that is given, or null. Throws ERR_ARGUMENT if both are. */
function given<One extends string, Other extends string>(
  one: One,
  first: unknown,
  other: Other,
  second: unknown,
): One | Other | null {
  if (first === undefined) return second === undefined ? null : other;
  if (second === undefined) return one;
  throw mismatch('ERR_ARGUMENT', other, `${one} or ${other}`, 'both', 'leave one of them out');
}

function bytesOf(
  options: LayoutOptions,
  path: 'byteOffset' | 'elementOffset',
  itemsize: number,
): number {
  const count = readCount(options[path], path);
  return path === 'byteOffset' ? count : toCount(BigInt(count) * BigInt(itemsize), path);
}

/**
 * Returns the lengths for options without a shape: the array's own for other strides of the same
 * elements, else those of what follows the offset on one axis. Throws ERR_ARGUMENT, ERR_NOT_A_VIEW.
 */
function lengthsLeft(
  array: ArrayDescriptor,
  dtype: DType,
  shift: number,
  hasStrides: boolean,
): readonly number[] {
  const { ndim, itemsize, extent } = array;
  const isMoved = shift !== 0 || dtype.itemsize !== itemsize;
  if (!isMoved) return [...array.shape];
  if (hasStrides || ndim !== 1) {
    throw mismatch('ERR_ARGUMENT', 'shape', 'a shape for the new elements', 'none');
  }
  assertOrdered(array);
  const left = extent[1] - shift;
  const length = left / dtype.itemsize;
  if (left < 0) throw outOfBounds(array, shift, shift, 'byteOffset');
  if (Number.isInteger(length)) return [length];
  throw mismatch(
    'ERR_NOT_A_VIEW',
    'dtype',
    `whole elements of ${dtype.itemsize} bytes after the offset`,
    `${left} bytes`,
    'name the shape',
  );
}

/** Throws ERR_NOT_A_VIEW unless the elements are in C order, so that other lengths keep it. */
function assertOrdered({ shape, byteStrides, contiguous }: ArrayDescriptor): void {
  if (contiguous.c) return;
  throw mismatch(
    'ERR_NOT_A_VIEW',
    'byteStrides',
    'strides, or a source in C order without gaps',
    `none for shape ${showList(shape)} with byte strides ${showList(byteStrides)}`,
    'name the strides, or copy the source first',
  );
}

function assertWithin(
  array: ArrayDescriptor,
  made: ArrayDescriptor,
  shift: number,
  path: string,
): void {
  const [low, high] = made.extent;
  const [first, end] = array.extent;
  if (shift + low < first || shift + high > end) {
    throw outOfBounds(array, shift + low, shift + high, path);
  }
}

function outOfBounds({ extent }: ArrayDescriptor, low: number, high: number, path: string) {
  return mismatch(
    'ERR_OUT_OF_BOUNDS',
    path,
    `elements within bytes ${extent[0]} .. ${extent[1]} from the source's first element`,
    `${low} .. ${high}`,
    'check offset, shape and strides',
  );
}

function masked() {
  return mismatch(
    'ERR_MASK',
    'mask',
    'an array without a mask for another layout',
    'a masked array',
    'take views of the array instead',
  );
}
