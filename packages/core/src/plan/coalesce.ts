import { type ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import type { Chunk } from './chunks.js';
import { commonAxes } from './plan-copy.js';

/**
 * Returns the two sides of a copy as arrays of one shape, in the order in which the destination is
 * laid out in memory. Merges axes that are contiguous on both sides, whatever their shapes, order
 * or signs were.
 */
export function coalesceAxes(to: ArrayDescriptor, from: ArrayDescriptor): Chunk {
  const common = commonAxes(to, from);
  const shape = common.axes.map((axis) => axis.length);
  const view = (array: ArrayDescriptor, offset: number, strides: readonly number[]) =>
    replace(array, {
      pointer: array.pointer + BigInt(offset),
      shape,
      byteStrides: strides,
      base: null,
    });
  return [
    view(
      to,
      common.to,
      common.axes.map((axis) => axis.to),
    ),
    view(
      from,
      common.from,
      common.axes.map((axis) => axis.from),
    ),
  ];
}
