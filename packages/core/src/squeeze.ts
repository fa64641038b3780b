import { badArgument } from './argument.js';
import { readAxes } from './axis.js';
import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { makeView } from './make-view.js';
import { viewMask } from './view-mask.js';

/**
 * A view without the named axes, which have length 1; without `axes`, without all of length 1.
 * Array API standard `squeeze`. Does not copy. Throws ERR_TYPE, ERR_ARGUMENT,
 * ERR_RANK_MISMATCH (a list longer than any array has axes), ERR_MASK.
 */
export function squeeze(
  array: ArrayDescriptor,
  axes?: number | readonly number[],
): ArrayDescriptor {
  assertArrayDescriptor(array, 'array');
  const { shape, byteStrides } = array;
  const ones = [...shape.keys()].filter((axis) => shape[axis] === 1);
  const dropped = axes === undefined ? ones : readAxes(axes, array.ndim);
  for (const [index, axis] of dropped.entries()) {
    if (!ones.includes(axis)) throw badArgument(`axes[${index}]`, 'an axis of length 1', axis);
  }
  const stays = (_: number, axis: number) => !dropped.includes(axis);
  return makeView(
    array,
    { shape: shape.filter(stays), byteStrides: byteStrides.filter(stays) },
    viewMask(array, (mask) => squeeze(mask, dropped)),
  );
}
