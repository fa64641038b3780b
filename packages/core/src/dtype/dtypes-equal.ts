import { type DTypeLike, sameDType } from './dtype.js';
import { readDType } from './read-dtype.js';

/**
 * Returns whether elements of both dtypes mean the same: same kind, size, byte order and unit, and
 * the same fields by name and offset. Opaque bytes equal others of their size, unless the two have
 * different names. Accepts what `dtype` accepts. Throws what `dtype` throws, with the path `a` or
 * `b`.
 *
 * @example
 * ```ts
 * import { dtypesEqual } from '@array-interface/core';
 *
 * console.log(dtypesEqual('float32', '<f4')); // true
 * console.log(dtypesEqual('float32', '>f4')); // false
 * ```
 */
export function dtypesEqual(a: DTypeLike, b: DTypeLike): boolean {
  return sameDType(readDType(a, 'a'), readDType(b, 'b'));
}
