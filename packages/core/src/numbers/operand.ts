import {
  type DescribedArray,
  describeArray,
  describeItself,
} from '../descriptor/described-array.js';
import { isArrayDescriptor } from '../descriptor/descriptor.js';
import type { DType, DTypeLike } from '../dtype/dtype.js';
import { readDType } from '../dtype/read-dtype.js';
import { withFallback } from '../errors/with-fallback.js';

/** A number of JavaScript. */
export type Scalar = number | bigint | boolean;

/** What takes part in an operation: an array, a dtype, or a scalar. */
export type Operand = DescribedArray | DTypeLike | Scalar;

/**
 * Returns the dtype of an array or a descriptor, or the dtype itself. Throws ERR_DISPOSED, and what
 * `dtype` throws.
 */
export function dtypeOfOperand(value: unknown, path: string): DType {
  return isArray(value) ? describeArray(value, path).dtype : readDType(value, path);
}

function isArray(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isArrayDescriptor(value) || describeItself(value) !== null) return true;
  return withFallback(() => 'descriptor' in value, false);
}
