import { mismatch } from '../errors/mismatch.js';
import type { Descr, DType } from './dtype.js';

/** A list that contains itself many times over has more fields than fit in memory. */
export const MAX_FIELDS: number = 2 ** 16;

/** How many more fields a descr may have, nested records included. */
export interface FieldBudget {
  left: number;
}

/**
 * Writes the `descr` of a record, with explicit padding. Checks only the number of fields, since a
 * dtype that a caller built may be cyclic. Throws ERR_DESCR for more fields than `readDescr`
 * accepts.
 */
export function toDescr(record: DType, budget: FieldBudget = { left: MAX_FIELDS }): Descr {
  const entries: Descr[number][] = [];
  let end = 0;
  const pad = (to: number) => {
    if (to > end) entries.push(['', `|V${to - end}`]);
  };
  for (const field of record.fields ?? []) {
    spend(budget, 1, 'fields');
    pad(field.offset);
    const name = field.title === null ? field.name : ([field.title, field.name] as const);
    const type = field.dtype.fields === null ? field.dtype.typestr : toDescr(field.dtype, budget);
    entries.push(field.shape.length === 0 ? [name, type] : [name, type, field.shape]);
    end = field.offset + field.itemsize;
  }
  pad(record.itemsize);
  return entries;
}

/** Takes fields from a budget. Throws ERR_DESCR if it has not that many. */
export function spend(budget: FieldBudget, fields: number, path: string): void {
  budget.left -= fields;
  if (budget.left < 0) {
    throw mismatch(
      'ERR_DESCR',
      path,
      `at most ${MAX_FIELDS} fields in all`,
      'more',
      'use sub-arrays',
    );
  }
}
