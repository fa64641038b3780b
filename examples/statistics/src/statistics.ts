import type { Backend, BackendArray, OwnedArray } from '@array-interface/core';
import { cumulativeSum, evaluate, type Histogram, histogram } from '@array-interface/expressions';

// Each function takes an array of `backend` and settles with new ones, which the caller disposes of,
// when the work is enqueued. Results have the same bits on every backend.

/** Columns with the mean 0 and the standard deviation 1. */
export function standardize<A extends BackendArray>(
  backend: Backend<A>,
  x: A,
): Promise<OwnedArray<A>> {
  return evaluate(backend, '(x - mean(x, axis=0, keepdims=true)) / std(x, axis=0, keepdims=true)', {
    x,
  });
}

/** Numbers above 0 whose sum along the last axis is 1, in proportion to exponentials. */
export function softmax<A extends BackendArray>(backend: Backend<A>, x: A): Promise<OwnedArray<A>> {
  const text = `
    let powers = exp(x - max(x, axis=-1, keepdims=true)) # the greatest is 1, so none overflows
    powers / sum(powers, axis=-1, keepdims=true)`;
  return evaluate(backend, text, { x });
}

/** The covariance of each two columns, of rows that are a sample. */
export function covariance<A extends BackendArray>(
  backend: Backend<A>,
  x: A,
): Promise<OwnedArray<A>> {
  const [rows, columns] = x.shape as [number, number];
  const text = `
    let a = one - mean(one, axis=0, keepdims=true)
    let b = other - mean(other, axis=0, keepdims=true)
    sum(a * b, axis=0) / (rows - 1)`;
  const one = x.reshape([rows, columns, 1]);
  const other = x.reshape([rows, 1, columns]);
  return evaluate(backend, text, { one, other, rows });
}

/** How many numbers are in each of some equal bins, as a part of all, and the bins' edges. */
export function frequencies<A extends BackendArray>(
  backend: Backend<A>,
  x: A,
  bins: number,
): Promise<Histogram<A>> {
  return histogram(backend, x, { bins, density: true });
}

/** The mean of each `width` neighbours in a vector. */
export async function movingAverage<A extends BackendArray>(
  backend: Backend<A>,
  x: A,
  width: number,
): Promise<OwnedArray<A>> {
  using sums = await cumulativeSum(backend, x, { includeInitial: true });
  const before = sums.slice([[0, -width]]);
  const after = sums.slice([[width, null]]);
  return await evaluate(backend, '(after - before) / width', { after, before, width });
}
