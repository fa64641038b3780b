import type { ArrayLike, Backend, BackendArray, OwnedArray } from '@array-interface/core';
import { elementwise, reduction } from '@array-interface/expressions';

const meanOf = reduction(
  'mean',
  { inputs: { x: 'float32' }, outputs: { mean: 'float64' } },
  { map: 'float64(x)', reduce: 'a + b', identity: 0, post: 'mean = a / count' },
);

/** A column whose numbers are all equal becomes 0, so it is divided by 1. */
const deviationOf = reduction(
  'deviation',
  { inputs: { x: 'float32', mean: 'float64' }, outputs: { deviation: 'float64' } },
  {
    map: '(x - mean) ** 2',
    reduce: 'a + b',
    identity: 0,
    post: 'deviation = a == 0 ? 1 : sqrt(a / count)',
  },
);

const scale = elementwise(
  'scale',
  {
    inputs: { x: 'float32', mean: 'float64', deviation: 'float64' },
    outputs: { scaled: 'float32' },
  },
  'scaled = float32((x - mean) / deviation)',
);

/**
 * The rows of all tables (rows x columns) as one table of float32 in memory of `backend`, whose
 * columns have the mean 0 and the standard deviation 1, computed in float64. Takes arrays of any
 * library, backend, dtype and layout; the result has the same bits on every backend. Settles when
 * the work is enqueued; the caller disposes of the result.
 */
export async function standardize<A extends BackendArray>(
  tables: readonly ArrayLike[],
  backend: Backend<A>,
): Promise<OwnedArray<A>> {
  const table = await backend.concat(tables, { dtype: 'float32' });
  try {
    if (table.ndim !== 2)
      throw new RangeError(`expected tables of 2 axes, got shape ${table.shape}`);
    using mean = (await meanOf(backend, { x: table }, { axis: 0 })).mean;
    using deviation = (await deviationOf(backend, { x: table, mean }, { axis: 0 })).deviation;
    await scale(backend, { x: table, mean, deviation }, { out: { scaled: table } });
    return table;
  } catch (error) {
    table.dispose();
    throw error;
  }
}
