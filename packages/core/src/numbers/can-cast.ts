import type { DescribedArray } from '../descriptor/described-array.js';
import type { DTypeLike } from '../dtype/dtype.js';
import { readDType } from '../dtype/read-dtype.js';
import { type Casting, castsTo, checkCasting } from './casting.js';
import { dtypeOfOperand } from './operand.js';

/**
 * Returns whether a copy may convert elements of one dtype to another under a rule of NumPy's.
 *
 * - `no`: the dtypes are equal.
 * - `equiv`: at most the byte order changes.
 * - `safe`, the default: every value is kept. As in NumPy, float64 holds 64-bit integers.
 * - `same_kind`, the default of `copy`: also to smaller numbers, but not from floats to integers, or
 *   from signed to unsigned ones.
 * - `unsafe`: any number to any other.
 *
 * `from` is a dtype or an array, whose values do not matter. False for what no copy converts, even
 * where NumPy does: dates of other units, text of other lengths, opaque bytes and records. Array
 * API standard `can_cast`, and NumPy's of 2.x. Throws ERR_ARGUMENT for another rule, ERR_DISPOSED,
 * and what `dtype` throws.
 *
 * @example
 * ```ts
 * import { canCast } from '@array-interface/core/numbers';
 *
 * console.log(canCast('int32', 'float64')); // true
 * console.log(canCast('float64', 'float32')); // false
 * console.log(canCast('float64', 'float32', 'same_kind')); // true
 * ```
 */
export function canCast(
  from: DescribedArray | DTypeLike,
  to: DTypeLike,
  casting: Casting = 'safe',
): boolean {
  checkCasting(casting, 'casting');
  return castsTo(dtypeOfOperand(from, 'from'), readDType(to, 'to'), casting);
}
