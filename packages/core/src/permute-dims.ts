import { readAxes } from './axis.js';
import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { ArrayInterfaceError } from './error.js';
import { byteStrides } from './strides.js';
import { viewMask } from './view-mask.js';

/**
 * A view whose axis `i` is axis `axes[i]` of `array`; every axis is named once, negative ones from
 * the end. Array API standard `permute_dims`. Does not copy. Throws ERR_ARGUMENT, ERR_MASK.
 */
export function permuteDims(array: ArrayDescriptor, axes: readonly number[]): ArrayDescriptor {
  assertArrayDescriptor(array, 'array');
  const order = readAxes(axes, array.ndim, 'axes');
  if (order.length !== array.ndim) {
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      'axes',
      `expected all ${array.ndim} axes, got ${order.length}; name the ones that stay too`,
    );
  }
  return array.with({
    shape: order.map((axis) => array.shape[axis] as number),
    byteStrides: byteStrides(order.map((axis) => array.byteStrides[axis] as number)),
    mask: viewMask(array, (mask) => permuteDims(mask, order)),
  });
}
