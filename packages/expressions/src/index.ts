/** Arithmetic and reductions of arrays, from text, on every backend. */
export {
  type Elementwise,
  elementwise,
  type OperandValue,
  type Signature,
  type Types,
} from './elementwise.js';
export { evaluate, evaluateSync, type Values } from './evaluate.js';
export { type Explanation, explainExpression } from './explain.js';
export {
  type BincountOptions,
  bincount,
  type CountOptions,
  type Histogram,
  type HistogramOptions,
  histogram,
  type SearchOptions,
  searchsorted,
} from './histogram.js';
export type { ComputeOptions } from './launch/call.js';
export type { PrepareOptions } from './launch/prepare.js';
export type { TypeName } from './launch/types.js';
export type { Axes } from './reduce/axes.js';
export type { ReduceOptions } from './reduce/call.js';
export type { Steps } from './reduce/definition.js';
export type { ScanOptions } from './reduce/scan.js';
export { type Reduction, reduction, type Scan, scan } from './reduction.js';
export {
  all,
  any,
  argmax,
  argmin,
  countNonzero,
  cumulativeProd,
  cumulativeSum,
  logSumExp,
  max,
  mean,
  min,
  prod,
  type StandardReduction,
  type StandardScan,
  type SumOptions,
  std,
  sum,
  type VarianceOptions,
  variance,
} from './standard.js';
