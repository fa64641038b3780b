/** Elementwise arithmetic of arrays, from text, on every backend. */
export {
  type Elementwise,
  elementwise,
  type OperandValue,
  type Signature,
  type Types,
} from './elementwise.js';
export { evaluate, evaluateSync, type Values } from './evaluate.js';
export { type Explanation, explainExpression } from './explain.js';
export type { ComputeOptions } from './launch/call.js';
export type { TypeName } from './launch/types.js';
