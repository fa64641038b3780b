import { type ArrayDescriptor, assertArrayDescriptor } from '../descriptor/descriptor.js';
import { addTerm, readBudget, sumWithin, type Term } from './bounded-sum.js';

/** An axis of more than one element, without its direction, which does not matter here. */
interface Axis {
  readonly length: number;
  readonly step: number;
}

/**
 * Returns whether two elements of an array share a byte, exactly: those of broadcast axes and
 * sliding windows do. Copies nothing.
 *
 * `maxWork` bounds the search, in steps of about a microsecond: 1,000,000 by default, or Infinity.
 * Throws ERR_TYPE, ERR_ARGUMENT, ERR_TOO_HARD (past `maxWork`).
 *
 * @example
 * ```ts
 * import { broadcastTo, fromProducer } from '@array-interface/core';
 * import { overlapsItself } from '@array-interface/core/overlap';
 *
 * const row = fromProducer(new Float32Array(3));
 * console.log(overlapsItself(broadcastTo(row, [2, 3]))); // true
 * ```
 */
export function overlapsItself(
  array: ArrayDescriptor,
  options?: { readonly maxWork?: number },
): boolean {
  assertArrayDescriptor(array, 'array');
  const budget = readBudget(options);
  if (array.size <= 1 || array.itemsize === 0 || array.dtype.kind === 't') return false;
  if (nestsInOrder(array)) return false;
  const axes = array.shape
    .map((length, axis) => ({ length, step: Math.abs(array.byteStrides[axis] as number) }))
    .filter((axis) => axis.length > 1)
    .sort((a, b) => b.step - a.step);
  if (axes.at(-1)?.step === 0) return true;
  if (nest(axes, array.itemsize)) return false;
  const slack = array.itemsize - 1;
  return axes.some(({ length, step }, first) => {
    // Two elements differ along `first` and along axes of smaller steps. The differences of their
    // indices, each shifted up by its least value, become terms of a sum.
    const terms: Term[] = [];
    addTerm(terms, step, length - 2);
    let middle = -step;
    for (const axis of axes.slice(first + 1)) {
      addTerm(terms, axis.step, 2 * (axis.length - 1));
      middle += (axis.length - 1) * axis.step;
    }
    return sumWithin(terms, BigInt(middle) + BigInt(slack), 2n * BigInt(slack), budget);
  });
}

/**
 * `nest` for axes in the order of their steps, which is almost always the case. Makes no list of
 * them.
 */
function nestsInOrder({ shape, byteStrides, itemsize }: ArrayDescriptor): boolean {
  let reach = itemsize;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const length = shape[axis] as number;
    if (length === 1) continue;
    const step = Math.abs(byteStrides[axis] as number);
    if (step < reach) return false;
    reach += (length - 1) * step;
  }
  return true;
}

/**
 * Returns whether each axis steps over everything that the axes of smaller steps span, as in slices
 * and transposes.
 */
function nest(axes: readonly Axis[], itemsize: number): boolean {
  let reach = itemsize;
  for (const { length, step } of axes.toReversed()) {
    if (step < reach) return false;
    reach += (length - 1) * step;
  }
  return true;
}
