import { type DType, sameDType } from '../dtype/dtype.js';
import { type Check, checkOneOf } from '../input/options.js';
import { elementChange, type NumberType, numberType, sizeOf } from './conversion.js';

/** NumPy's casting rules by name. Default: `same_kind`. */
export type Casting = 'no' | 'equiv' | 'safe' | 'same_kind' | 'unsafe';

export const CASTINGS: readonly Casting[] = ['no', 'equiv', 'safe', 'same_kind', 'unsafe'];

/** Accepts the name of a rule that defines which conversions are allowed. */
export const checkCasting: Check = /* @__PURE__ */ checkOneOf(...CASTINGS);

/** Kinds of number in NumPy's order: each converts to the next ones. */
const KINDS = ['b', 'u', 'i', 'f', 'c'];

/** Bits of a float's significand, including the implicit one. */
const SIGNIFICANDS: Partial<Record<NumberType, number>> = { f2: 11, bf2: 8, f4: 24, f8: 53 };

/**
 * Returns whether NumPy's rule of that name allows a copy to convert `from` to `to`. bfloat16,
 * which NumPy lacks, counts as a float of 8 significant bits. False for what no rule converts:
 * dates of other units, text, opaque bytes and records.
 */
export function castsTo(from: DType, to: DType, casting: Casting): boolean {
  if (sameDType(to, from)) return true;
  if (casting === 'no' || elementChange(to, from) === undefined) return false;
  if (to.kind === from.kind && to.itemsize === from.itemsize) return true; // only the byte order differs
  const [target, source] = [numberType(to), numberType(from)];
  if (casting === 'equiv' || target === null || source === null) return false;
  if (casting === 'unsafe') return true;
  if (casting === 'same_kind' && kindOf(source) <= kindOf(target)) return true;
  return isSafe(source, target);
}

function kindOf(type: NumberType): number {
  return KINDS.indexOf(type === 'bf2' ? 'f' : (type[0] as string));
}

/**
 * Returns whether `to` can hold each value of `from`. As in NumPy, a double holds 64-bit integers.
 */
function isSafe(from: NumberType, to: NumberType): boolean {
  if (from === to || from === 'b1') return true;
  if (to.startsWith('c')) return isSafe(partOf(from), partOf(to));
  if (from.startsWith('c') || kindOf(from) > kindOf(to)) return false;
  const significand = SIGNIFICANDS[to];
  if (significand === undefined) return isSafeInteger(from, to);
  const bits = SIGNIFICANDS[from];
  if (bits !== undefined) return bits < significand && sizeOf(from) < sizeOf(to);
  return to === 'f8' || 8 * sizeOf(from) <= significand;
}

function isSafeInteger(from: NumberType, to: NumberType): boolean {
  return from[0] === to[0] ? sizeOf(from) <= sizeOf(to) : sizeOf(from) < sizeOf(to);
}

/** Returns the float type of a complex number's parts, or any other type unchanged. */
function partOf(type: NumberType): NumberType {
  if (type === 'c8') return 'f4';
  return type === 'c16' ? 'f8' : type;
}
