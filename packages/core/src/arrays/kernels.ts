import { defineKernel } from '../kernel/define-kernel.js';
import type { Kernel } from '../kernel/kernel.js';
import * as built from './indexing.kernel.js';
import * as rows from './rows.js';

/** The numbers that kernels of rows take, as the host's code gets them. */
interface Counts {
  readonly length: bigint;
  readonly count: bigint;
  readonly inner: bigint;
  readonly unit: number;
  readonly total: bigint;
}

/** `takeRows` of `indexing.cl`. */
export const takeRows: Kernel = /* @__PURE__ */ defineKernel({
  ...built.takeRows,
  code: {
    ...built.takeRows.code,
    host: {
      javascript({ source, indices, target, ...counts }): void {
        const all = rowsOf(counts);
        rows.takeRows(target, source, rowsFrom(indices, all.length), all);
      },
    },
  },
}) as unknown as Kernel;

/** `lastOfRows` of `indexing.cl`. The host needs none: it puts one value after the other. */
export const lastOfRows: Kernel = /* @__PURE__ */ defineKernel(
  built.lastOfRows,
) as unknown as Kernel;

/** `putRows` of `indexing.cl`. */
export const putRows: Kernel = /* @__PURE__ */ defineKernel({
  ...built.putRows,
  code: {
    ...built.putRows.code,
    host: {
      javascript({ values, indices, target, ...counts }): void {
        const all = rowsOf(counts);
        rows.putRows(target, values, rowsFrom(indices, all.length), all);
      },
    },
  },
}) as unknown as Kernel;

/** `putWhere` of `indexing.cl`. */
export const putWhere: Kernel = /* @__PURE__ */ defineKernel({
  ...built.putWhere,
  code: {
    ...built.putWhere.code,
    host: {
      javascript({ mask, values, target, inner, unit }): void {
        rows.putWhere(target, values, mask, Number(inner) * unit);
      },
    },
  },
}) as unknown as Kernel;

function rowsOf({ length, count, inner, unit, total }: Counts): rows.Rows {
  const outer = Number(total) / (Number(count) * Number(inner));
  return { length: Number(length), count: Number(count), outer, rowBytes: Number(inner) * unit };
}

function rowsFrom({ buffer, byteOffset, length }: BigInt64Array, of: number): Float64Array {
  return rows.rowsAt(new Int32Array(buffer, byteOffset, length * 2), of);
}
