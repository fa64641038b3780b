import type { ArrayDescriptor } from './descriptor.js';
import { ArrayInterfaceError } from './error.js';
import { contiguousByteStrides, type ElementStrides, elementStrides } from './strides.js';

/**
 * Element strides for an interface that counts in elements. Strides of axes with one element or none
 * mean nothing, and are rewritten where they do not fit. Throws ERR_STRIDE_UNIT.
 */
export function wholeStrides(array: ArrayDescriptor, path: string): ElementStrides {
  const { itemsize, shape } = array;
  const dense = contiguousByteStrides(shape, itemsize);
  const strides = array.byteStrides.map((stride, axis) => {
    if (stride % itemsize === 0) return stride / itemsize + 0;
    if ((shape[axis] as number) <= 1) return (dense[axis] as number) / itemsize;
    throw new ArrayInterfaceError(
      'ERR_STRIDE_UNIT',
      `${path}[${axis}]`,
      `expected a whole number of elements of ${itemsize} bytes, got ${stride} bytes; copy the array first`,
    );
  });
  return elementStrides(strides);
}
