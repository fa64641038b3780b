import { badArgument } from './argument.js';
import { readAxes } from './axis.js';
import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { makeView } from './make-view.js';
import { viewMask } from './view-mask.js';

/**
 * A view whose axis `i` is axis `axes[i]` of `array`; every axis is named once, negative ones from
 * the end. Array API standard `permute_dims`. Does not copy. Throws ERR_TYPE, ERR_ARGUMENT,
 * ERR_RANK_MISMATCH (a list longer than any array has axes), ERR_MASK.
 */
export function permuteDims(array: ArrayDescriptor, axes: readonly number[]): ArrayDescriptor {
  assertArrayDescriptor(array, 'array');
  const order = readAxes(axes, array.ndim);
  if (order.length !== array.ndim) {
    throw badArgument('axes', `all ${array.ndim} axes, also the ones that stay`, order.length);
  }
  const view = {
    shape: order.map((axis) => array.shape[axis] as number),
    byteStrides: order.map((axis) => array.byteStrides[axis] as number),
  };
  return makeView(
    array,
    view,
    viewMask(array, (mask) => permuteDims(mask, order)),
  );
}
