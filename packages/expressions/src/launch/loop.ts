import type { ArrayDescriptor } from '@array-interface/core';
import { broadcastShapes } from '@array-interface/core';
import { isSameList } from './layout.js';
import { fault, type Operand, type Target } from './operands.js';

/** An array within a loop. */
export interface LoopArray {
  readonly array: ArrayDescriptor;
  /** Bytes from the array's pointer to the first element of the loop. */
  readonly shift: number;
  /** Strides in bytes along the axes of the loop. */
  readonly strides: readonly number[];
}

/** The axes over which elements are computed, and how each array lies along them. */
export interface Loop {
  readonly shape: readonly number[];
  readonly arrays: readonly LoopArray[];
}

/** Returns the number of elements of a shape. */
export function countOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}

/**
 * Returns the shape to which inputs and outputs broadcast. Throws ERR_SHAPE_MISMATCH for one that
 * does not, and for an output that would be repeated.
 */
export function shapeOf(inputs: readonly Operand[], outputs: readonly Target[] = []): number[] {
  let shape: number[] = [];
  const named = outputs.map(({ name, array }) => ({ name: `out.${name}`, array }));
  for (const { name, array } of [...inputs, ...named]) {
    if (array === null) continue;
    try {
      shape = broadcastShapes(shape, array.shape);
    } catch {
      const expected = `a shape that broadcasts with [${shape}]`;
      throw fault('ERR_SHAPE_MISMATCH', name, expected, `[${array.shape}]`);
    }
  }
  assertShapes(outputs, shape);
  return shape;
}

/** Throws ERR_SHAPE_MISMATCH for an output of another shape. */
export function assertShapes(outputs: readonly Target[], shape: readonly number[]): void {
  for (const { name, array } of outputs) {
    if (isSameList(array.shape, shape)) continue;
    throw fault('ERR_SHAPE_MISMATCH', `out.${name}`, `the shape [${shape}]`, `[${array.shape}]`);
  }
}

/**
 * Returns a loop over all elements. Unless the indices of elements matter, the axes are in the order
 * in which the first array lies in memory, forwards, and as few as all arrays allow.
 */
export function loopOver(
  shape: readonly number[],
  arrays: readonly ArrayDescriptor[],
  keepsAxes: boolean,
): Loop {
  const whole = arrays.map((array) => ({
    array,
    shift: 0,
    strides: broadcastStrides(array, shape),
  }));
  if (keepsAxes) return { shape, arrays: whole };
  return merged(forwards({ shape, arrays: whole }));
}

/** Returns the strides in bytes of an array that is broadcast to a shape. */
export function broadcastStrides(array: ArrayDescriptor, shape: readonly number[]): number[] {
  const missing = shape.length - array.ndim;
  return shape.map((_, axis) => {
    const own = axis - missing;
    return own < 0 || array.shape[own] === 1 ? 0 : (array.byteStrides[own] as number);
  });
}

/**
 * Returns the loop with its axes in the order in which one of its arrays lies in memory, the first
 * unless another is said, forwards. Axes along which it repeats its elements come first.
 */
export function forwards({ shape, arrays }: Loop, deciding = 0): Loop {
  const first = arrays[deciding];
  const size = (axis: number) => Math.abs(first?.strides[axis] ?? 0) || Number.POSITIVE_INFINITY;
  const axes = [...shape.keys()].filter((axis) => shape[axis] !== 1);
  axes.sort((a, b) => (size(a) === size(b) ? 0 : size(b) - size(a)));
  return {
    shape: axes.map((axis) => shape[axis] as number),
    arrays: arrays.map(({ array, strides }) => {
      let shift = 0;
      const own = axes.map((axis) => {
        const stride = strides[axis] as number;
        if ((first?.strides[axis] ?? 0) >= 0) return stride;
        shift += stride * ((shape[axis] as number) - 1);
        return -stride;
      });
      return { array, shift, strides: own };
    }),
  };
}

/** Returns the loop with as few axes as all arrays allow, at least one. */
export function merged({ shape, arrays }: Loop): Loop {
  const kept: number[] = [];
  const lengths: number[] = [];
  for (const [axis, length] of shape.entries()) {
    const outer = kept.at(-1);
    const isRun = ({ strides }: LoopArray) =>
      strides[outer as number] === (strides[axis] as number) * length;
    if (outer !== undefined && arrays.every(isRun)) {
      lengths.push((lengths.pop() as number) * length);
      kept[kept.length - 1] = axis;
    } else {
      kept.push(axis);
      lengths.push(length);
    }
  }
  if (kept.length === 0) {
    return { shape: [1], arrays: arrays.map((one) => ({ ...one, strides: [one.array.itemsize] })) };
  }
  return {
    shape: lengths,
    arrays: arrays.map((one) => ({
      ...one,
      strides: kept.map((axis) => one.strides[axis] as number),
    })),
  };
}
