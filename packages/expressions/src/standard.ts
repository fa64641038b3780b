import {
  type ArrayLike,
  type Backend,
  type BackendArray,
  type DTypeName,
  dtype,
  type OwnedArray,
} from '@array-interface/core';
import { type Check, checkThat, readOptions, unchecked } from '@array-interface/core/backend';
import { resultType } from '@array-interface/core/numbers';
import type { OperandValue } from './elementwise.js';
import { fault, type Operand, typeNameOf } from './launch/operands.js';
import { RESULT } from './meaning/check-names.js';
import { kindOf } from './meaning/term.js';
import { callReduction, REDUCE_OPTIONS, type ReduceOptions } from './reduce/call.js';
import { type Definition, readDefinition } from './reduce/definition.js';
import { READY_MADE, READY_SCANS, type ReadyMade } from './reduce/ready-made.js';
import { callScan, SCAN_OPTIONS, type ScanOptions } from './reduce/scan.js';

/** A reduction of the Python array API standard. `Own` are its own options. */
export interface StandardReduction<Own extends object = object> {
  /** Settles with a new array. */
  <A extends BackendArray>(
    backend: Backend<A>,
    x: OperandValue,
    options?: ReduceOptions & Own & { readonly out?: never },
  ): Promise<OwnedArray<A>>;
  /** Writes the result into `out`. */
  <A extends BackendArray>(
    backend: Backend<A>,
    x: OperandValue,
    options: ReduceOptions &
      Own & {
        /** The array that is written. */
        readonly out: ArrayLike;
      },
  ): Promise<void>;
}

/** The options of `sum` and `prod`. */
export interface SumOptions {
  /** The dtype of the result. Default: of floats their own, of integers and bools 64 bits. */
  readonly dtype?: DTypeName;
}

/** The options of `variance` and `std`. */
export interface VarianceOptions {
  /** What is subtracted from the number of elements to divide by. Default: 0. */
  readonly correction?: number;
}

/** A scan of the Python array API standard. */
export interface StandardScan {
  /** Settles with a new array. */
  <A extends BackendArray>(
    backend: Backend<A>,
    x: OperandValue,
    options?: ScanOptions & SumOptions & { readonly out?: never },
  ): Promise<OwnedArray<A>>;
  /** Writes the result into `out`. */
  <A extends BackendArray>(
    backend: Backend<A>,
    x: OperandValue,
    options: ScanOptions &
      SumOptions & {
        /** The array that is written. */
        readonly out: ArrayLike;
      },
  ): Promise<void>;
}

/** Returns the reductions of a name, by the dtype of their operand, which are kept. */
function definitions(
  name: string,
  { make, isOfReals, numbers }: ReadyMade,
): (operands: readonly Operand[], own: SumOptions) => Definition {
  const known = new Map<string, Definition>();
  return (operands, { dtype: chosen }) => {
    const type = typeOf(operands);
    const key = `${type} ${chosen}`;
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    if (isOfReals) assertReal(name, type);
    const { type: result, steps, method } = make(type, chosen);
    const others = Object.keys(numbers).map((one) => [one, 'float64']);
    const declared = { x: type, ...Object.fromEntries(others) };
    const made = { ...readDefinition(name, declared, { [RESULT]: result }, steps), method };
    known.set(key, made);
    return made;
  };
}

/** Makes a reduction. */
function standard<Own extends object = object>(
  name: string,
  ready: ReadyMade,
  checks: Readonly<Record<string, Check>> = {},
): StandardReduction<Own> {
  const inputs = ['x', ...Object.keys(ready.numbers)];
  const outputs = [RESULT];
  const checksOfAll = { ...REDUCE_OPTIONS, ...checks, out: unchecked };
  const numbers = Object.entries(ready.numbers);
  const definitionOf = definitions(name, ready);
  const reduce = async (
    backend: Backend,
    x: OperandValue,
    options: ReduceOptions & SumOptions & { readonly out?: ArrayLike } = {},
  ) => {
    const given = readOptions(options, checksOfAll);
    const values: Record<string, unknown> = { x };
    for (const [one, usual] of numbers) values[one] = given[one as 'axis'] ?? usual;
    const choice = {
      inputs,
      outputs,
      of: (operands: readonly Operand[]) => definitionOf(operands, given),
    };
    const made = await callReduction(choice, backend, values, outOf(given), given);
    return made[RESULT];
  };
  return reduce as StandardReduction<Own>;
}

/** Makes a scan. */
function standardScan(name: string, ready: ReadyMade): StandardScan {
  const definitionOf = definitions(name, ready);
  const scan = async (
    backend: Backend,
    x: OperandValue,
    options: ScanOptions & SumOptions & { readonly out?: ArrayLike } = {},
  ) => {
    const given = readOptions(options, { ...SCAN_OPTIONS, ...SUM_CHECKS, out: unchecked });
    const chosen = {
      inputs: ['x'],
      outputs: [RESULT],
      of: (operands: readonly Operand[]) => definitionOf(operands, given),
    };
    const made = await callScan(chosen, backend, { x }, outOf(given), given);
    return made[RESULT];
  };
  return scan as StandardScan;
}

function outOf({ out }: { readonly out?: ArrayLike }): Readonly<Record<string, ArrayLike>> {
  return out === undefined ? {} : { [RESULT]: out };
}

function typeOf([x]: readonly Operand[]): DTypeName {
  const { array, scalar } = x as Operand;
  return array === null ? (resultType(scalar).name as DTypeName) : typeNameOf(array.dtype, 'x');
}

function assertReal(name: string, type: DTypeName): void {
  if (kindOf(type) !== 'complex') return;
  throw fault(
    'ERR_DTYPE_UNSUPPORTED',
    'x',
    `real numbers for ${name}`,
    type,
    "reduce 'real(x)' and 'imag(x)', or write a reduction",
  );
}

const SUM_CHECKS = {
  dtype: checkThat(
    (value) =>
      ['bool', 'integer', 'float', 'complex'].includes(
        kindOf(dtype(value as 'bool').name as DTypeName),
      ),
    'a dtype of numbers',
  ),
};
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const VARIANCE_CHECKS = { correction: checkThat(isNumber, 'a number') };

/**
 * Adds elements up, in float64 or 64-bit integers, in an order that depends on their number alone.
 * Integers wrap around; nothing is 0.
 *
 * @example
 * ```ts
 * import { sum } from '@array-interface/expressions';
 * import { host } from '@array-interface/host';
 *
 * using x = await host.array([[1, 2], [3, 4]], { dtype: 'uint8' });
 * using rows = await sum(host, x, { axis: 1 });
 * console.log(rows.dtype.name, await rows.toNested()); // uint64 [ 3n, 7n ]
 * ```
 */
export const sum: StandardReduction<SumOptions> = /* @__PURE__ */ standard(
  'sum',
  READY_MADE.sum,
  SUM_CHECKS,
);

/** Multiplies elements, as `sum` adds them. The product of nothing is 1. */
export const prod: StandardReduction<SumOptions> = /* @__PURE__ */ standard(
  'prod',
  READY_MADE.prod,
  SUM_CHECKS,
);

/** Finds the least element: NaN if one is. Rejects with ERR_ARGUMENT if there is none. */
export const min: StandardReduction = /* @__PURE__ */ standard('min', READY_MADE.min);

/** Finds the greatest element: NaN if one is. Rejects with ERR_ARGUMENT if there is none. */
export const max: StandardReduction = /* @__PURE__ */ standard('max', READY_MADE.max);

/** Computes the mean, in float64: of integers as float64, of nothing NaN. */
export const mean: StandardReduction = /* @__PURE__ */ standard('mean', READY_MADE.mean);

/**
 * Computes the variance, the standard's `var`, of real numbers in one pass, in float64: the mean of
 * squared differences from the mean. It is divided by their number less `correction`.
 */
export const variance: StandardReduction<VarianceOptions> = /* @__PURE__ */ standard(
  'variance',
  READY_MADE.var,
  VARIANCE_CHECKS,
);

/** Computes the square root of the variance. */
export const std: StandardReduction<VarianceOptions> = /* @__PURE__ */ standard(
  'std',
  READY_MADE.std,
  VARIANCE_CHECKS,
);

/** Whether an element is not 0. NaN is not; of nothing, false. */
export const any: StandardReduction = /* @__PURE__ */ standard('any', READY_MADE.any);

/** Whether no element is 0. Of nothing, true. */
export const all: StandardReduction = /* @__PURE__ */ standard('all', READY_MADE.all);

/**
 * Finds the index of the least element, int64, in C order among those reduced: the first of equal
 * ones, and the first NaN if there is one. Rejects with ERR_ARGUMENT if there is none.
 */
export const argmin: StandardReduction = /* @__PURE__ */ standard('argmin', READY_MADE.argmin);

/** Finds the index of the greatest element, as `argmin` finds that of the least. */
export const argmax: StandardReduction = /* @__PURE__ */ standard('argmax', READY_MADE.argmax);

/**
 * Computes the logarithm of the sum of the exponentials of real numbers, in float64, none of which
 * overflows. Of integers it is float64; of nothing, -Infinity.
 *
 * @example
 * ```ts
 * import { logSumExp } from '@array-interface/expressions';
 * import { host } from '@array-interface/host';
 *
 * using x = await host.array([1000, 1000], { dtype: 'float64' });
 * using y = await logSumExp(host, x);
 * console.log(await y.item()); // 1000.6931471805599
 * ```
 */
export const logSumExp: StandardReduction = /* @__PURE__ */ standard(
  'logSumExp',
  READY_MADE.logsumexp,
);

/** Counts the elements that are not 0, as int64. */
export const countNonzero: StandardReduction = /* @__PURE__ */ standard(
  'countNonzero',
  READY_MADE.count_nonzero,
);

/**
 * Computes sums of each element and all before it along an axis, with the dtypes of `sum`. Floats are
 * added up in float64, one after another in leaves of 64 elements or more.
 *
 * @example
 * ```ts
 * import { cumulativeSum } from '@array-interface/expressions';
 * import { host } from '@array-interface/host';
 *
 * using x = await host.array([1, 2, 3], { dtype: 'float32' });
 * using sums = await cumulativeSum(host, x, { includeInitial: true });
 * console.log(await sums.toNested()); // [ 0, 1, 3, 6 ]
 * ```
 */
export const cumulativeSum: StandardScan = /* @__PURE__ */ standardScan(
  'cumulativeSum',
  READY_SCANS.cumulative_sum,
);

/** Computes products of each element and all before it along an axis, as `cumulativeSum` sums. */
export const cumulativeProd: StandardScan = /* @__PURE__ */ standardScan(
  'cumulativeProd',
  READY_SCANS.cumulative_prod,
);
