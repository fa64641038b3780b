import type { OwnedArray } from '@array-interface/core';
import { type HostArray, host } from '@array-interface/host';
import { type Float32, makeVector, Table, type Vector } from 'apache-arrow';

/** A column as an array: in Arrow's memory, or in new memory if it lies in several batches. */
export async function fromColumn(column: Vector<Float32>): Promise<OwnedArray<HostArray>> {
  if (column.nullCount > 0) throw new RangeError(`expected no nulls, got ${column.nullCount}`);
  const [first, ...others] = column.data.map(({ values }) => values);
  if (first === undefined) return host.empty([0], 'float32');
  return others.length === 0 ? host.asArray(first) : host.concat([first, ...others]);
}

/** A table with a column for each row of a matrix. Arrow reads our memory, so it ends with the matrix. */
export async function toTable(matrix: HostArray, names: readonly string[]): Promise<Table> {
  const columns: Record<string, Vector<Float32>> = {};
  for (const [row, name] of names.entries()) {
    const elements = await matrix.slice([row]).asTypedArray({ dtype: 'float32' });
    columns[name] = makeVector(elements);
  }
  return new Table(columns);
}
