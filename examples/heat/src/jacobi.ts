import type { Backend, BackendArray } from '@array-interface/core';
import { elementwise } from '@array-interface/expressions';

// The order of the sums is that of python/heat.py, so that all ranks agree in every bit.
const mean = elementwise(
  'mean',
  { inputs: { above: 'T', below: 'T', left: 'T', right: 'T' }, outputs: { middle: 'T' } },
  'middle = 0.25 * ((above + below) + (left + right))',
);

/** Of an axis: all but the outermost elements, those before each of these, and those after. */
const [INNER, BEFORE, AFTER] = [
  [1, -1],
  [0, -2],
  [2, null],
] as const;

/** Enqueues a step. */
export type Step = () => Promise<unknown>;

/**
 * A step of Jacobi's method: the elements of `next` become the means of the four neighbours in `now`, but
 * for the outermost rows and columns. Both are tiles (rows x columns) of one dtype. The views of them are
 * made once, and the call is prepared, so each step only launches.
 */
export function stepOf(backend: Backend, now: BackendArray, next: BackendArray): Step {
  const neighbours = {
    above: now.slice([BEFORE, INNER]),
    below: now.slice([AFTER, INNER]),
    left: now.slice([INNER, BEFORE]),
    right: now.slice([INNER, AFTER]),
  };
  const middle = next.slice([INNER, INNER]);
  return mean.prepare(backend, neighbours, { out: { middle } });
}
