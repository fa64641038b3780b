import {
  type DescribedArray,
  describeArray,
  describeItself,
} from '../descriptor/described-array.js';
import { isArrayDescriptor } from '../descriptor/descriptor.js';
import type { DType, DTypeLike } from '../dtype/dtype.js';
import { readDType } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { withFallback } from '../errors/with-fallback.js';
import { type Instead, insteadOfArray } from '../input/instead-of-array.js';

/** A number of JavaScript. */
export type Scalar = number | bigint | boolean;

/** What takes part in an operation: an array, a dtype, or a scalar. */
export type Operand = DescribedArray | DTypeLike | Scalar;

/**
 * Returns the dtype of an array or a descriptor, or the dtype itself. Throws ERR_DISPOSED, and what
 * `dtype` throws.
 */
export function dtypeOfOperand(value: unknown, path: string): DType {
  if (isArray(value)) return describeArray(value, path).dtype;
  const instead = insteadOfDType(value);
  if (instead === null) return readDType(value, path);
  throw mismatch('ERR_TYPE', path, 'an array, a dtype or a number', instead.got, instead.cure);
}

/** Names a promise, memory and others in the place of an array. Null for what may be a dtype. */
function insteadOfDType(value: unknown): Instead | null {
  if (typeof value !== 'object' || value === null) return null;
  const isLike = withFallback(() => Array.isArray(value) || 'typestr' in value, true);
  return isLike ? null : insteadOfArray(value);
}

function isArray(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isArrayDescriptor(value) || describeItself(value) !== null) return true;
  return withFallback(() => 'descriptor' in value, false);
}
