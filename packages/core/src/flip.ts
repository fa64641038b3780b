import { readAxes } from './axis.js';
import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { move } from './move.js';
import { byteStrides } from './strides.js';
import { viewMask } from './view-mask.js';

/**
 * A view with one axis, several, or (without `axes`) all of them reversed; negative ones count from
 * the end. Array API standard `flip`. Does not copy. Throws ERR_ARGUMENT, ERR_MASK.
 */
export function flip(array: ArrayDescriptor, axes?: number | readonly number[]): ArrayDescriptor {
  assertArrayDescriptor(array, 'array');
  const all = axes === undefined ? [...array.shape.keys()] : axes;
  const turned = readAxes(typeof all === 'number' ? [all] : all, array.ndim, 'axes');
  const steps = turned.map((axis) => lastElement(array, axis));
  const shift = array.size === 0 ? 0 : steps.reduce((sum, step) => sum + step, 0);
  return array.with({
    ...move(array, shift),
    byteStrides: byteStrides(
      array.byteStrides.map((stride, axis) => (turned.includes(axis) ? 0 - stride : stride)),
    ),
    mask: viewMask(array, (mask) => flip(mask, turned)),
  });
}

function lastElement(array: ArrayDescriptor, axis: number): number {
  return ((array.shape[axis] as number) - 1) * (array.byteStrides[axis] as number);
}
