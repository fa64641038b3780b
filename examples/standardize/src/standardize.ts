import type { ArrayLike, Backend, BackendArray, OwnedArray } from '@array-interface/core';
import { defineKernel } from '@array-interface/core/kernel';
import * as built from './standardize.kernel.js';

// What `npm run build:kernels` made of standardize.cl, and the same for the host.
const standardizeColumns = defineKernel({
  ...built.standardizeColumns,
  code: {
    ...built.standardizeColumns.code,
    host: {
      javascript({ table, rows, columns }) {
        for (let column = 0; column < columns; column++) {
          const at = (row: number) => table[row * columns + column] ?? 0;
          let [sum, squares] = [0, 0];
          for (let row = 0; row < rows; row++) sum += at(row);
          const mean = sum / rows;
          for (let row = 0; row < rows; row++) squares += (at(row) - mean) ** 2;
          const deviation = squares === 0 ? 1 : Math.sqrt(squares / rows);
          for (let row = 0; row < rows; row++) {
            table[row * columns + column] = (at(row) - mean) / deviation;
          }
        }
      },
    },
  },
});

/**
 * The rows of all tables (rows x columns) as one table of float32 in memory of `backend`, whose
 * columns have the mean 0 and the standard deviation 1. Takes arrays of any library, backend, dtype
 * and layout. Settles when the work is enqueued; the caller disposes of the result.
 */
export async function standardize<A extends BackendArray>(
  tables: readonly ArrayLike[],
  backend: Backend<A>,
): Promise<OwnedArray<A>> {
  const table = await backend.concat(tables, { dtype: 'float32' });
  try {
    const [rows, columns] = table.shape;
    if (rows === undefined || columns === undefined || table.ndim > 2) {
      throw new RangeError(`expected tables of 2 axes, got shape ${table.shape}`);
    }
    await backend.launch(standardizeColumns, { range: [columns] }, { table, rows, columns });
    return table;
  } catch (error) {
    table.dispose();
    throw error;
  }
}
