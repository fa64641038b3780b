import { assertRank } from './check-layout.js';
import { ArrayDescriptor, type Base } from './descriptor.js';
import type { DType } from './dtype.js';
import { ArrayInterfaceError } from './error.js';
import { contiguity } from './layout.js';
import { showList } from './show.js';
import { byteStrides, contiguousByteStrides } from './strides.js';

/** What a view says differently than the array that it is a view of. */
interface ViewLayout {
  readonly shape: readonly number[];
  readonly byteStrides: readonly number[];
  /** Bytes from the array's element with all-zero indices to the view's; default 0. */
  readonly shift?: number;
  readonly dtype?: DType;
  readonly readOnly?: boolean;
}

/**
 * The view of `array` with this layout, which must lie within the array's extent, and this mask.
 * Everything that is not said stays. A view without elements stays where the array is, since it may
 * lie at 0. Throws ERR_RANK_MISMATCH, and ERR_MASK for bits that would not follow one another.
 */
export function makeView(
  array: ArrayDescriptor,
  layout: ViewLayout,
  mask: ArrayDescriptor | null,
): ArrayDescriptor {
  const { shape, dtype = array.dtype, readOnly = array.readOnly } = layout;
  assertRank(shape.length, 'shape');
  let strides = byteStrides(layout.byteStrides);
  let shift = shape.includes(0) ? 0 : (layout.shift ?? 0);
  if (array.dtype.kind === 't') {
    // strides lead to bytes: bits must follow one another, and the first be the first of its byte
    const dense = contiguity(shape, strides, 1).c && shift % 8 === 0 && dtype === array.dtype;
    if (!dense) throw scattered(shape);
    strides = contiguousByteStrides(shape, 1);
    shift /= 8;
  }
  const pointer = shift === 0 ? array.pointer : array.pointer + BigInt(shift);
  const { stream, syclobj, buffer, owner } = array;
  // each part by its name: to spread a descriptor takes longer than all the rest of a view
  return new ArrayDescriptor({
    pointer,
    shape,
    byteStrides: strides,
    dtype,
    readOnly,
    base: moveBase(array, pointer, dtype.itemsize),
    stream,
    syclobj,
    mask,
    buffer,
    owner,
  });
}

/** SUAI's offset counts elements; without a whole number of them the base is lost. */
function moveBase(array: ArrayDescriptor, pointer: bigint, itemsize: number): Base | null {
  const { base } = array;
  if (base === null || (pointer === array.pointer && itemsize === array.itemsize)) return base;
  const [bytes, unit] = [pointer - base.pointer, BigInt(itemsize)];
  if (unit === 0n || bytes % unit !== 0n) return null;
  const elementOffset = Number(bytes / unit);
  if (!Number.isSafeInteger(elementOffset)) return null;
  return Object.freeze({ pointer: base.pointer, elementOffset });
}

function scattered(shape: readonly number[]): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_MASK',
    'mask',
    `expected a view in which the bits of a mask follow one another, got one of shape ${showList(shape)} ` +
      'that picks some; unpack the mask to bytes',
  );
}
