import { type DescribedArray, describeArray } from '../descriptor/described-array.js';
import { addTerm, readBudget, sumWithin, type Term } from './bounded-sum.js';

/**
 * Returns whether two elements of an array share a byte, exactly: those of broadcast axes and
 * sliding windows do. Copies nothing.
 *
 * `maxWork` bounds the search, in steps of about a microsecond: 1,000,000 by default, or Infinity.
 * Throws ERR_TYPE, ERR_ARGUMENT, ERR_TOO_HARD (past `maxWork`), ERR_DISPOSED.
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
  array: DescribedArray,
  options?: { readonly maxWork?: number },
): boolean {
  const described = describeArray(array, 'array');
  const budget = readBudget(options);
  if (described.size <= 1 || described.itemsize === 0 || described.dtype.kind === 't') return false;
  const { shape, byteStrides, itemsize } = described;
  // The axes are almost always in the order of their steps. Then no list of them is needed.
  if (nest(shape, byteStrides, itemsize)) return false;
  const axes = shape
    .map((length, axis) => ({ length, step: Math.abs(byteStrides[axis] as number) }))
    .filter((axis) => axis.length > 1)
    .sort((a, b) => b.step - a.step);
  if (axes.at(-1)?.step === 0) return true;
  const [lengths, steps] = [axes.map(({ length }) => length), axes.map(({ step }) => step)];
  if (nest(lengths, steps, itemsize)) return false;
  const slack = itemsize - 1;
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
 * Returns whether each axis steps over everything that the axes behind it span, as in slices, and
 * in transposes whose axes are sorted.
 */
function nest(shape: readonly number[], byteStrides: readonly number[], itemsize: number): boolean {
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
