import { type DType, sameDType } from '../dtype/dtype.js';
import { dtype } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { badArgument } from '../input/argument.js';
import { dtypeOfOperand, type Operand, type Scalar } from './operand.js';

/** Kinds of number in NumPy's order: each gives way to those after it. */
const KINDS = 'buifc';

/** The dtypes of JavaScript's numbers where nothing else decides, as `array` makes them. */
const DEFAULTS = { boolean: 'bool', bigint: 'int64', number: 'float64' } as const;

/**
 * Returns the dtype that NumPy 2 gives a result of these operands, in native byte order.
 *
 * An operand is an array, also one without axes, a dtype, or a scalar. Only the type of a scalar
 * matters, never its value, and it counts less than any array: a boolean is Python's bool, a bigint
 * its int, a number its float. So `resultType('float32', 1.5)` is float32, `resultType('uint8',
 * 1n)` uint8, and `resultType('uint8', 1)` float64, as of Python's `1.0`. Scalars alone have the
 * dtypes that `array` gives them: bool, int64, float64.
 *
 * Array API standard `result_type`, and NumPy's rules for what it leaves open: int64 and uint64, or
 * 32-bit integers and float32, make float64. bfloat16, which NumPy lacks, counts as a float of two
 * bytes, and makes float32 with float16. Text, dates, records and opaque bytes are promoted only
 * with their own dtype.
 *
 * Throws ERR_DTYPE_UNSUPPORTED with the path of an operand that has no dtype in common with the
 * others (`operands[1]`), ERR_ARGUMENT without operands, ERR_DISPOSED, and what `dtype` throws.
 *
 * @example
 * ```ts
 * import { resultType } from '@array-interface/core/numbers';
 * import { host } from '@array-interface/host';
 *
 * using row = host.empty([3], 'int16');
 * console.log(String(resultType(row, 'uint16'))); // int32
 * console.log(String(resultType(row, 2n))); // int16
 * console.log(String(resultType(row, 0.5))); // float64
 * ```
 */
export function resultType(...operands: readonly Operand[]): DType {
  if (operands.length === 0) throw badArgument('operands', 'at least one operand', 'none', 'none');
  const dtypes: ReadOperand[] = [];
  const scalars: ReadOperand[] = [];
  for (const [index, operand] of operands.entries()) {
    const path = `operands[${index}]`;
    if (isScalar(operand))
      scalars.push({ type: dtype(DEFAULTS[typeof operand as 'number']), path });
    else dtypes.push({ type: native(dtypeOfOperand(operand, path)), path });
  }
  // Floats first: two integers alone may need a larger float than each of them with a float.
  const [first, ...others] = byKind(dtypes.length === 0 ? scalars : dtypes) as [
    ReadOperand,
    ...ReadOperand[],
  ];
  const strong = others.reduce(promoted, first.type);
  return dtypes.length === 0 ? strong : scalars.reduce(withScalar, strong);
}

/** An operand's dtype, and its path for errors. */
interface ReadOperand {
  readonly type: DType;
  readonly path: string;
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
}

function byKind(operands: readonly ReadOperand[]): readonly ReadOperand[] {
  return [...operands].sort((a, b) => rankOf(b.type) - rankOf(a.type));
}

/** Position of a number's kind; -1 for anything else. */
function rankOf({ kind, name }: DType): number {
  return name === 'bfloat16' ? KINDS.indexOf('f') : KINDS.indexOf(kind);
}

/** A scalar changes only the kind, and then to the default dtype of its own. */
function withScalar(type: DType, scalar: ReadOperand): DType {
  const [rank, other] = [rankOf(type), rankOf(scalar.type)];
  if (rank < 0) throw apart(type, scalar);
  const isWithin = rank >= other || (KINDS[other] === 'i' && KINDS[rank] === 'u');
  return isWithin ? type : scalar.type;
}

function promoted(type: DType, other: ReadOperand): DType {
  if (sameDType(type, other.type)) return type;
  const [rank, least] = [rankOf(type), rankOf(other.type)];
  if (rank < 0 || least < 0) throw apart(type, other);
  return rank < least ? promote(other.type, type) : promote(type, other.type);
}

/** Promotes two numbers; the kind of `high` is not before that of `low`. */
function promote(high: DType, low: DType): DType {
  if (low.kind === 'b') return high;
  const [size, other] = [high.itemsize, low.itemsize];
  if (high.kind === 'c') {
    const part = low.kind === 'c' ? other / 2 : floatSize(low);
    return widest(high, 2 * Math.max(part, 4));
  }
  if (high.kind === 'u' || (high.kind === 'i' && low.kind === 'i'))
    return size < other ? low : high;
  if (high.kind === 'i') {
    return other < size ? high : dtype(other < 8 ? `i${2 * other}` : 'float64');
  }
  const isFloat = rankOf(low) === rankOf(high);
  if (isFloat && size === other) return dtype('float32'); // float16 and bfloat16
  return size < floatSize(low) ? dtype(`f${floatSize(low)}`) : high;
}

function widest(complex: DType, size: number): DType {
  return complex.itemsize < size ? dtype(`c${size}`) : complex;
}

/** Bytes of the smallest float that is as wide as a float, or that holds an integer. */
function floatSize(type: DType): number {
  const isFloat = rankOf(type) === KINDS.indexOf('f');
  return isFloat ? type.itemsize : Math.min(2 * type.itemsize, 8);
}

function native(type: DType): DType {
  return type.byteOrder === 'big' ? dtype(`<${type.typestr.slice(1)}`) : type;
}

function apart(type: DType, { type: other, path }: ReadOperand) {
  return mismatch(
    'ERR_DTYPE_UNSUPPORTED',
    path,
    `a dtype that can be promoted with ${type}`,
    String(other),
    'convert one of them first',
  );
}
