import type { OwnedArray } from '@array-interface/core';
import { type HostArray, host } from '@array-interface/host';

/**
 * A result of DuckDB as a matrix, a column for each of its columns. `columns` is what
 * `reader.getColumnsObjectJS()` of @duckdb/node-api returns: lists of numbers, bigints and nulls.
 * This repository does not install DuckDB, whose binaries are large; its users have it.
 */
export async function fromDuckDB(
  columns: Readonly<Record<string, readonly unknown[]>>,
): Promise<OwnedArray<HostArray>> {
  const number = (value: unknown) => (value === null ? Number.NaN : Number(value));
  const numbers = Object.values(columns).map((column) => Float64Array.from(column, number));
  return host.stack(numbers, { axis: 1 });
}
