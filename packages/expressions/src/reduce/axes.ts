import type { ArrayDescriptor } from '@array-interface/core';
import { broadcastStrides, forwards, type Loop, merged } from '../launch/loop.js';
import { argumentFault } from './definition.js';

/** The axes that are reduced: one, several, or all. */
export type Axes = number | readonly number[];

/** How arrays lie along the axes of a reduction: in `outer`, the outputs, then the inputs. */
export interface ReduceLoops {
  readonly outer: Loop;
  readonly inner: Loop;
  /** Which of the outer, then the inner axes each axis in the text is. */
  readonly axes: readonly number[];
}

/** Returns the axes to reduce, in rising order. Negative ones count from the end. Throws `faultOf`'s. */
export function readAxes(
  axis: Axes | undefined,
  ndim: number,
  faultOf: typeof argumentFault = argumentFault,
): number[] {
  if (axis === undefined) return Array.from({ length: ndim }, (_, own) => own);
  const given = Array.isArray(axis) ? [...axis] : [axis];
  const read = given.map((one: unknown, index) => {
    const own = one as number;
    if (Number.isInteger(own) && own >= -ndim && own < ndim) return own < 0 ? own + ndim : own + 0;
    const path = Array.isArray(axis) ? `axis[${index}]` : 'axis';
    const expected =
      ndim === 0 ? 'no axis, since the operands have none' : `an axis in ${-ndim} .. ${ndim - 1}`;
    throw faultOf(path, expected, String(one));
  });
  const twice = read.find((one, index) => read.indexOf(one) !== index);
  if (twice !== undefined) throw faultOf('axis', 'each axis once', `axis ${twice} twice`);
  return read.sort((one, other) => one - other);
}

/** Returns the shape of the outputs. */
export function reducedShape(
  shape: readonly number[],
  axes: readonly number[],
  keepDims: boolean,
): number[] {
  if (keepDims) return shape.map((length, axis) => (axes.includes(axis) ? 1 : length));
  return shape.filter((_, axis) => !axes.includes(axis));
}

/** Whether an input has several elements along the axes that are reduced. */
export function isReduced(
  input: ArrayDescriptor,
  { shape, axes }: { readonly shape: readonly number[]; readonly axes: readonly number[] },
): boolean {
  const strides = broadcastStrides(input, shape);
  return axes.some((axis) => shape[axis] !== 1 && strides[axis] !== 0);
}

/**
 * Returns the loops over outputs and over what is reduced. The outer axes are in the order in which
 * the first input lies in memory; the inner ones, too, if `sorts`, else they keep theirs, on which the
 * order of the elements depends. Unless indices of elements matter, both are as few as all arrays allow.
 */
export function reduceLoops(
  shape: readonly number[],
  reduced: readonly number[],
  outputs: readonly ArrayDescriptor[],
  inputs: readonly ArrayDescriptor[],
  keepsAxes: boolean,
  sorts = false,
): ReduceLoops {
  const kept = [...shape.keys()].filter((axis) => !reduced.includes(axis));
  const strides = inputs.map((array) => broadcastStrides(array, shape));
  const along = (axes: readonly number[], outer: boolean): Loop => ({
    shape: axes.map((axis) => shape[axis] as number),
    arrays: [
      ...outputs.map((array) => ({
        array,
        shift: 0,
        strides: outer ? outputStrides(array, shape, kept) : axes.map(() => 0),
      })),
      ...inputs.map((array, index) => ({
        array,
        shift: 0,
        strides: axes.map((axis) => (strides[index] as number[])[axis] as number),
      })),
    ],
  });
  const [outer, inner] = [along(kept, true), along(reduced, false)];
  // More is read than written.
  const deciding = inputs.length > 0 ? outputs.length : 0;
  if (!keepsAxes)
    return {
      outer: merged(forwards(outer, deciding)),
      inner: merged(sorts ? forwards(inner, deciding) : withoutOnes(inner)),
      axes: [],
    };
  const first = atLeastOne(outer);
  const axes = shape.map((_, axis) =>
    reduced.includes(axis) ? first.shape.length + reduced.indexOf(axis) : kept.indexOf(axis),
  );
  return { outer: first, inner: atLeastOne(inner), axes };
}

function outputStrides(
  { ndim, byteStrides }: ArrayDescriptor,
  shape: readonly number[],
  kept: readonly number[],
): number[] {
  return kept.map((axis, index) => byteStrides[ndim === shape.length ? axis : index] as number);
}

function withoutOnes({ shape, arrays }: Loop): Loop {
  const axes = [...shape.keys()].filter((axis) => shape[axis] !== 1);
  return {
    shape: axes.map((axis) => shape[axis] as number),
    arrays: arrays.map((one) => ({
      ...one,
      strides: axes.map((axis) => one.strides[axis] as number),
    })),
  };
}

function atLeastOne(loop: Loop): Loop {
  if (loop.shape.length > 0) return loop;
  return { shape: [1], arrays: loop.arrays.map((one) => ({ ...one, strides: [0] })) };
}
