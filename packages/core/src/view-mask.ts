import type { ArrayDescriptor } from './descriptor.js';
import { ArrayInterfaceError } from './error.js';

/**
 * The mask of a view: the same view of the mask, where it has the array's shape and whole bytes.
 * Throws ERR_MASK for a mask that broadcasts and for bits, which no strides can select.
 */
export function viewMask(
  array: ArrayDescriptor,
  view: (mask: ArrayDescriptor) => ArrayDescriptor,
): ArrayDescriptor | null {
  const { mask, shape } = array;
  if (mask === null) return null;
  const sameShape = mask.ndim === shape.length && mask.shape.every((n, axis) => n === shape[axis]);
  if (sameShape && mask.dtype.kind !== 't') return view(mask);
  throw new ArrayInterfaceError(
    'ERR_MASK',
    'mask',
    `expected a mask of bytes with shape [${shape}], got ${mask.dtype.typestr} with [${mask.shape}]; ` +
      'make the view first and give it a mask of its own',
  );
}
