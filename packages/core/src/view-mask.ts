import type { ArrayDescriptor } from './descriptor.js';
import { ArrayInterfaceError } from './error.js';
import { sameShape } from './layout.js';
import { repeat } from './repeat.js';
import { showList } from './show.js';

/**
 * The mask of a view: the same view of the mask, which is first repeated to the array's shape.
 * Throws ERR_MASK where that is no view: of bits, or of a repeated mask whose axes do not merge.
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
      `expected a mask with the same view, got ${mask.dtype.typestr} of shape ${showList(mask.shape)}, ` +
        `byte strides ${showList(mask.byteStrides)}; make the view first and give it a mask of its own`,
      { cause },
    );
  }
}
