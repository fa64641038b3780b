import { readAxes } from './axis.js';
import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { makeView } from './make-view.js';
import { viewMask } from './view-mask.js';

/**
 * A view with one axis, several, or (without `axes`) all of them reversed; negative ones count from
 * the end. Array API standard `flip`. Does not copy. Throws ERR_TYPE, ERR_ARGUMENT, ERR_RANK_MISMATCH
 * (a list longer than any array has axes), ERR_MASK.
 */
export function flip(array: ArrayDescriptor, axes?: number | readonly number[]): ArrayDescriptor {
  assertArrayDescriptor(array, 'array');
  const { shape, byteStrides } = array;
  const turned = readAxes(axes === undefined ? [...shape.keys()] : axes, array.ndim);
  const last = (axis: number) => ((shape[axis] as number) - 1) * (byteStrides[axis] as number);
  const view = {
    shape,
    byteStrides: byteStrides.map((stride, axis) => (turned.includes(axis) ? 0 - stride : stride)),
    shift: turned.reduce((sum, axis) => sum + last(axis), 0),
  };
  return makeView(
    array,
    view,
    viewMask(array, (mask) => flip(mask, turned)),
  );
}
