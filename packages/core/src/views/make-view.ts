import { ArrayDescriptor } from '../descriptor/descriptor.js';
import { type Base, contiguity, type Layout } from '../descriptor/layout.js';
import { contiguousByteStrides } from '../descriptor/strides.js';
import { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { assertRank, checkCounts, sameShape, sizeOf } from '../input/shape.js';

/** What a view changes of its array. */
interface ViewLayout
  extends Pick<Layout, 'shape' | 'byteStrides'>,
    Partial<Pick<Layout, 'dtype' | 'readOnly'>> {
  /** Bytes from the array's element with all-zero indices to the view's. Default: 0. */
  readonly shift?: number;
}

/**
 * Makes the view of `array` with this layout, which must lie within the array's extent, and this
 * mask. Everything else is unchanged. An empty view keeps the array's address, since that may be 0.
 * Throws ERR_RANK_MISMATCH, and ERR_MASK for bits that would not be consecutive.
 */
export function makeView(
  array: ArrayDescriptor,
  layout: ViewLayout,
  mask: ArrayDescriptor | null,
): ArrayDescriptor {
  const { shape, dtype = array.dtype, readOnly = array.readOnly } = layout;
  assertRank(shape.length, 'shape');
  let strides = layout.byteStrides;
  let shift = sizeOf(shape) === 0 ? 0 : (layout.shift ?? 0);
  if (array.dtype.kind === 't') {
    // strides lead to bytes, so bits must be consecutive and begin a byte
    const dense = contiguity(shape, strides, 1).c && shift % 8 === 0 && dtype === array.dtype;
    if (!dense) {
      throw mismatch(
        'ERR_MASK',
        'mask',
        "a view that keeps the mask's bits in C order without gaps",
        `one of shape ${showList(shape)} that selects some`,
        'unpack the mask to bytes',
      );
    }
    strides = contiguousByteStrides(shape, 1);
    shift /= 8;
  }
  const pointer = shift === 0 ? array.pointer : array.pointer + BigInt(shift);
  const { stream, syclobj, buffer, owner } = array;
  // parts by name: spreading a descriptor takes longer than all the rest of a view
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

/** Moves SUAI's base, or drops it: its offset must be a whole number of elements. */
function moveBase(array: ArrayDescriptor, pointer: bigint, itemsize: number): Base | null {
  const { base } = array;
  if (base === null || (pointer === array.pointer && itemsize === array.itemsize)) return base;
  const [bytes, unit] = [pointer - base.pointer, BigInt(itemsize)];
  if (unit === 0n || bytes % unit !== 0n) return null;
  const elementOffset = Number(bytes / unit);
  if (!Number.isSafeInteger(elementOffset)) return null;
  return Object.freeze({ pointer: base.pointer, elementOffset });
}

/**
 * Makes the mask of a view: repeats the mask to the array's shape and takes the same view of it.
 * Throws ERR_MASK if no such view exists: of bits, or of a repeated mask whose axes do not merge.
 */
export function viewMask(
  array: ArrayDescriptor,
  view: (mask: ArrayDescriptor) => ArrayDescriptor,
): ArrayDescriptor | null {
  const { mask, shape } = array;
  if (mask === null) return null;
  try {
    return view(sameShape(mask.shape, shape) ? mask : repeat(mask, shape, null));
  } catch (cause) {
    throw new ArrayInterfaceError(
      'ERR_MASK',
      'mask',
      `expected a mask with the same view, got ${mask}; make the view without the mask, then give it a mask of its own`,
      { cause },
    );
  }
}

/**
 * Repeats `array` to a shape that it broadcasts to, with strides of 0. The view is read-only, since
 * a write to one element would appear in others. Throws ERR_RANK_MISMATCH, ERR_OVERFLOW, ERR_MASK.
 */
export function repeat(
  array: ArrayDescriptor,
  shape: readonly number[],
  mask: ArrayDescriptor | null,
): ArrayDescriptor {
  checkCounts(shape, array.itemsize, 'shape');
  const missing = shape.length - array.ndim;
  const strides = shape.map((_, axis) =>
    array.shape[axis - missing] === 1 ? 0 : (array.byteStrides[axis - missing] ?? 0),
  );
  return makeView(array, { shape, byteStrides: strides, readOnly: true }, mask);
}
