import { type ArrayLike, type Backend, type BackendArray, type DTypeName, dtype, type OwnedArray } from '@array-interface/core'; // biome-ignore format: one line
import { type Check, checkThat, readOptions, unchecked } from '@array-interface/core/backend';
import { resultType } from '@array-interface/core/numbers';
import type { OperandValue } from './elementwise.js';
import { fault, type Operand, typeNameOf } from './launch/operands.js';
import { RESULT } from './meaning/check-names.js';
import { kindOf } from './meaning/term.js';
import { callReduction, REDUCE_OPTIONS, type ReduceOptions } from './reduce/call.js';
import { type Definition, type Found, readDefinition, type Steps } from './reduce/definition.js';
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

/** How a standard reduction is made for operands of a dtype. */
interface Making {
  /** The dtype of the result. */
  readonly type: DTypeName;
  readonly steps: Steps;
  readonly finds?: Found;
}

/** The type in which elements of a type are added up: the widest of its kind. */
function widest(type: DTypeName): DTypeName {
  const wide = {
    bool: 'int64',
    integer: 'int64',
    float: 'float64',
    complex: 'complex128',
  } as const;
  return type.startsWith('uint') ? 'uint64' : wide[kindOf(type)];
}

/** The type of a mean of elements of a type. */
function floatOf(type: DTypeName): DTypeName {
  return ['float', 'complex'].includes(kindOf(type)) ? type : 'float64';
}

/** Returns the reductions of a name, by the dtype of their operand, which are kept. */
function definitions(
  name: string,
  inputs: readonly string[],
  make: (type: DTypeName, own: SumOptions) => Making,
): (operands: readonly Operand[], own: SumOptions) => Definition {
  const known = new Map<string, Definition>();
  return (operands, own) => {
    const type = typeOf(operands);
    const key = `${type} ${own.dtype}`;
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const { type: result, steps, finds } = make(type, own);
    const declared = Object.fromEntries(inputs.map((one) => [one, one === 'x' ? type : 'float64']));
    const made = { ...readDefinition(name, declared, { [RESULT]: result }, steps), finds };
    known.set(key, made);
    return made;
  };
}

/** Makes a reduction. `numbers` are the options that its texts use, with their defaults. */
function standard<Own extends object = object>(
  name: string,
  make: (type: DTypeName, own: SumOptions) => Making,
  checks: Readonly<Record<string, Check>> = {},
  numbers: Readonly<Record<string, number>> = {},
): StandardReduction<Own> {
  const inputs = ['x', ...Object.keys(numbers)];
  const definitionOf = definitions(name, inputs, make);
  const reduce = async (
    backend: Backend,
    x: OperandValue,
    options: ReduceOptions & SumOptions & { readonly out?: ArrayLike } = {},
  ) => {
    const given = readOptions(options, { ...REDUCE_OPTIONS, ...checks, out: unchecked });
    const own: Record<string, unknown> = { ...given };
    const values: Record<string, unknown> = { x };
    for (const [one, usual] of Object.entries(numbers)) values[one] = own[one] ?? usual;
    const chosen = { inputs, outputs: [RESULT], of: (operands: readonly Operand[]) => definitionOf(operands, given) }; // biome-ignore format: one line
    const made = await callReduction(chosen, backend, values, outOf(given), only(REDUCE_OPTIONS, own)); // biome-ignore format: one line
    return made[RESULT];
  };
  return reduce as StandardReduction<Own>;
}

/** Makes a scan. */
function standardScan(
  name: string,
  make: (type: DTypeName, own: SumOptions) => Making,
): StandardScan {
  const definitionOf = definitions(name, ['x'], make);
  const scan = async (
    backend: Backend,
    x: OperandValue,
    options: ScanOptions & SumOptions & { readonly out?: ArrayLike } = {},
  ) => {
    const given = readOptions(options, { ...SCAN_OPTIONS, ...SUM_CHECKS, out: unchecked });
    const chosen = { inputs: ['x'], outputs: [RESULT], of: (operands: readonly Operand[]) => definitionOf(operands, given) }; // biome-ignore format: one line
    const made = await callScan(chosen, backend, { x }, outOf(given), only(SCAN_OPTIONS, { ...given })); // biome-ignore format: one line
    return made[RESULT];
  };
  return scan as StandardScan;
}

function outOf({ out }: { readonly out?: ArrayLike }): Readonly<Record<string, ArrayLike>> {
  return out === undefined ? {} : { [RESULT]: out };
}

/** The options that a function of the lower layer takes. */
function only(checks: object, options: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => Object.hasOwn(checks, name)),
  );
}

function typeOf([x]: readonly Operand[]): DTypeName {
  const { array, scalar } = x as Operand;
  return array === null ? (resultType(scalar).name as DTypeName) : typeNameOf(array.dtype, 'x');
}

function assertReal(name: string, type: DTypeName): void {
  if (kindOf(type) !== 'complex') return;
  throw fault('ERR_DTYPE_UNSUPPORTED', 'x', `real numbers for ${name}`, type, "reduce 'real(x)' and 'imag(x)', or write a reduction"); // biome-ignore format: one line
}

const SUM_CHECKS = { dtype: checkThat((value) => ['bool', 'integer', 'float', 'complex'].includes(kindOf(dtype(value as 'bool').name as DTypeName)), 'a dtype of numbers') }; // biome-ignore format: one line
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const VARIANCE_CHECKS = { correction: checkThat(isNumber, 'a number') };

function sumOf(operator: '+' | '*', identity: 0 | 1, isWhole = true) {
  return (own: DTypeName, { dtype: chosen }: SumOptions): Making => {
    const isExact = kindOf(own) === 'bool' || kindOf(own) === 'integer';
    const type = chosen ?? (isExact ? widest(own) : own);
    // A sum of -0 alone is 0, as in NumPy.
    const value = operator === '+' && isWhole ? 'a + 0' : 'a';
    const steps = { map: `${widest(type)}(x)`, reduce: `a ${operator} b`, identity, post: `${RESULT} = ${type}(${value})` }; // biome-ignore format: one line
    return { type, steps };
  };
}

function extreme(name: 'minimum' | 'maximum') {
  return (type: DTypeName): Making => {
    assertReal(name === 'minimum' ? 'min' : 'max', type);
    return { type, steps: { map: 'x', reduce: `${name}(a, b)`, post: `${RESULT} = ${type}(a)` } };
  };
}

function spread(name: string, root: (text: string) => string) {
  return (own: DTypeName): Making => {
    assertReal(name, own);
    const type = floatOf(own);
    const steps = {
      map: 'n = 1.0; mean = float64(x); squares = 0.0',
      // Of two sets, as Chan, Golub and LeVeque merge them.
      reduce: `let d = b_mean - a_mean
        n = a_n + b_n
        mean = a_mean + d * (b_n / n)
        squares = a_squares + b_squares + d * d * (a_n * b_n / n)`,
      identity: { n: 0, mean: 0, squares: 0 },
      post: `${RESULT} = ${type}(${root('squares / maximum(count - correction, 0)')})`,
    };
    return { type, steps };
  };
}

function placeOf(name: string, isBetter: '<' | '>') {
  return (own: DTypeName): Making => {
    assertReal(name, own);
    const steps = {
      map: 'value = x; place = position',
      reduce: `let isBetter = b_value ${isBetter} a_value || b_value == a_value && b_place < a_place
        let isSecond = isnan(a_value) ? isnan(b_value) && b_place < a_place : isnan(b_value) || isBetter
        value = isSecond ? b_value : a_value
        place = isSecond ? b_place : a_place`,
      post: `${RESULT} = place`,
    };
    return { type: 'int64', steps, finds: isBetter === '<' ? 'least' : 'greatest' };
  };
}

function truth(operator: '&&' | '||', identity: boolean): (type: DTypeName) => Making {
  const steps = { map: 'bool(x)', reduce: `a ${operator} b`, identity };
  return () => ({ type: 'bool', steps });
}

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
export const sum: StandardReduction<SumOptions> = /* @__PURE__ */ standard('sum', sumOf('+', 0), SUM_CHECKS); // biome-ignore format: one line

/** Multiplies elements, as `sum` adds them. The product of nothing is 1. */
export const prod: StandardReduction<SumOptions> = /* @__PURE__ */ standard('prod', sumOf('*', 1), SUM_CHECKS); // biome-ignore format: one line

/** Finds the least element: NaN if one is. Rejects with ERR_ARGUMENT if there is none. */
export const min: StandardReduction = /* @__PURE__ */ standard('min', extreme('minimum'));

/** Finds the greatest element: NaN if one is. Rejects with ERR_ARGUMENT if there is none. */
export const max: StandardReduction = /* @__PURE__ */ standard('max', extreme('maximum'));

/** Computes the mean, in float64: of integers as float64, of nothing NaN. */
export const mean: StandardReduction = /* @__PURE__ */ standard('mean', (own) => {
  const type = floatOf(own);
  const steps = { map: `${widest(type)}(x)`, reduce: 'a + b', identity: 0, post: `${RESULT} = ${type}(a / count)` }; // biome-ignore format: one line
  return { type, steps };
});

/**
 * Computes the variance, the standard's `var`, of real numbers in one pass, in float64: the mean of
 * squared differences from the mean. It is divided by their number less `correction`.
 */
export const variance: StandardReduction<VarianceOptions> = /* @__PURE__ */ standard('variance', spread('variance', (text) => text), VARIANCE_CHECKS, { correction: 0 }); // biome-ignore format: one line

/** Computes the square root of the variance. */
export const std: StandardReduction<VarianceOptions> = /* @__PURE__ */ standard('std', spread('std', (text) => `sqrt(${text})`), VARIANCE_CHECKS, { correction: 0 }); // biome-ignore format: one line

/** Whether an element is not 0. NaN is not; of nothing, false. */
export const any: StandardReduction = /* @__PURE__ */ standard('any', truth('||', false));

/** Whether no element is 0. Of nothing, true. */
export const all: StandardReduction = /* @__PURE__ */ standard('all', truth('&&', true));

/**
 * Finds the index of the least element, int64, in C order among those reduced: the first of equal
 * ones, and the first NaN if there is one. Rejects with ERR_ARGUMENT if there is none.
 */
export const argmin: StandardReduction = /* @__PURE__ */ standard('argmin', placeOf('argmin', '<'));

/** Finds the index of the greatest element, as `argmin` finds that of the least. */
export const argmax: StandardReduction = /* @__PURE__ */ standard('argmax', placeOf('argmax', '>'));

/** Counts the elements that are not 0, as int64. */
export const countNonzero: StandardReduction = /* @__PURE__ */ standard('countNonzero', () => {
  const steps = { map: 'int64(bool(x))', reduce: 'a + b', identity: 0 };
  return { type: 'int64', steps };
});

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
export const cumulativeSum: StandardScan = /* @__PURE__ */ standardScan('cumulativeSum', sumOf('+', 0, false)); // biome-ignore format: one line

/** Computes products of each element and all before it along an axis, as `cumulativeSum` sums. */
export const cumulativeProd: StandardScan = /* @__PURE__ */ standardScan('cumulativeProd', sumOf('*', 1, false)); // biome-ignore format: one line
