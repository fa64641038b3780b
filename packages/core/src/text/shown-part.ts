import { type ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import type { TextLimits } from './limits.js';

/** The elements of an array that a text shows. */
export interface ShownPart {
  /** A view of them, with more axes than the array; its order in C is that of the elements. */
  readonly elements: ArrayDescriptor;
  /** The lengths of the array's axes, as far as they are shown. */
  readonly shape: readonly number[];
  /** The axes from which elements are left out. */
  readonly isShortened: readonly boolean[];
}

/**
 * Returns the part of an array that is shown: all of it, or the first and last few elements of each
 * axis. An axis of which both ends are shown becomes two axes of one view: the end, and the element
 * within it. So one copy takes them all, whatever the layout. Axes of length 1 are dropped, so that
 * no view has more axes than an array may have.
 */
export function shownPart(
  array: ArrayDescriptor,
  { threshold, edgeItems }: Pick<TextLimits, 'threshold' | 'edgeItems'>,
): ShownPart {
  const isLong = array.size > threshold;
  const isShortened = array.shape.map((length) => isLong && length > 2 * edgeItems);
  if (!isShortened.includes(true)) return { elements: array, shape: array.shape, isShortened };
  const ends: number[] = [];
  const strides: number[] = [];
  for (const [axis, length] of array.shape.entries()) {
    const stride = array.byteStrides[axis] as number;
    if (isShortened[axis] === true) {
      ends.push(2, edgeItems);
      strides.push((length - edgeItems) * stride, stride);
    } else if (length !== 1) {
      ends.push(length);
      strides.push(stride);
    }
  }
  const elements = replace(array, { shape: ends, byteStrides: strides });
  const shape = array.shape.map((length, axis) => (isShortened[axis] ? 2 * edgeItems : length));
  return { elements, shape, isShortened };
}
