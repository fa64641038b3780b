/** A binary floating-point format. */
export interface FloatFormat {
  /** Decimal digits that every value keeps; NumPy's `finfo.precision`. */
  readonly precision: number;
  /**
   * Returns the value of the format that is nearest to a number; ties go to even. Infinity for what
   * is too large.
   */
  round(value: number): number;
  /** Reads the value at an offset. */
  read(view: DataView, offset: number, isLittle: boolean): number;
}

/** Which values the bits of a small format mean besides numbers. */
type Specials =
  /** The highest exponent is for infinity and NaN. */
  | 'ieee'
  /** There is no infinity; all ones is NaN. */
  | 'fn'
  /** There is no infinity; minus zero is NaN. */
  | 'fnuz'
  /** Every pattern is a number. */
  | 'none';

/** How many decimal digits the small formats count as in texts: those of float16. */
const FEW_DIGITS = 3;

/** double precision. */
export const float64: FloatFormat = {
  precision: 15,
  round: (value) => value,
  read: (view, offset, isLittle) => view.getFloat64(offset, isLittle),
};

/** Single precision. */
export const float32: FloatFormat = {
  precision: 6,
  round: Math.fround,
  read: (view, offset, isLittle) => view.getFloat32(offset, isLittle),
};

/** Half precision. */
export const float16: FloatFormat = /*#__PURE__*/ smallFormat(5, 10, 15, 'ieee');

/** The formats of the dtypes that have a name and no typestr. */
export const NAMED_FORMATS: Readonly<Record<string, FloatFormat>> = {
  bfloat16: /*#__PURE__*/ smallFormat(8, 7, 127, 'ieee'),
  float8_e3m4: /*#__PURE__*/ smallFormat(3, 4, 3, 'ieee'),
  float8_e4m3: /*#__PURE__*/ smallFormat(4, 3, 7, 'ieee'),
  float8_e4m3b11fnuz: /*#__PURE__*/ smallFormat(4, 3, 11, 'fnuz'),
  float8_e4m3fn: /*#__PURE__*/ smallFormat(4, 3, 7, 'fn'),
  float8_e4m3fnuz: /*#__PURE__*/ smallFormat(4, 3, 8, 'fnuz'),
  float8_e5m2: /*#__PURE__*/ smallFormat(5, 2, 15, 'ieee'),
  float8_e5m2fnuz: /*#__PURE__*/ smallFormat(5, 2, 16, 'fnuz'),
  float8_e8m0fnu: {
    precision: FEW_DIGITS,
    round: (value) => 2 ** Math.round(Math.log2(value)),
    read: (view, offset) => powerOf(view.getUint8(offset)),
  },
  float6_e2m3fn: /*#__PURE__*/ smallFormat(2, 3, 1, 'none'),
  float6_e3m2fn: /*#__PURE__*/ smallFormat(3, 2, 3, 'none'),
  float4_e2m1fn: /*#__PURE__*/ smallFormat(2, 1, 1, 'none'),
};

/** A format of one sign, `exponent` bits and `digits` bits, of one or two bytes. */
function smallFormat(
  exponent: number,
  digits: number,
  bias: number,
  specials: Specials,
): FloatFormat {
  const isWord = exponent + digits > 7;
  const low = 1 - bias;
  const highest = 2 ** exponent - (specials === 'ieee' ? 2 : 1) - bias;
  const tooLarge = 2 ** (highest + 1);
  return {
    precision: FEW_DIGITS,
    round(value) {
      const rounded = roundTo(value, digits, low);
      return Math.abs(rounded) < tooLarge ? rounded : rounded * Number.POSITIVE_INFINITY;
    },
    read(view, offset, isLittle) {
      const bits = isWord ? view.getUint16(offset, isLittle) : view.getUint8(offset);
      return decode(bits, exponent, digits, bias, specials);
    },
  };
}

function decode(
  bits: number,
  exponentBits: number,
  digitBits: number,
  bias: number,
  specials: Specials,
): number {
  const isNegative = ((bits >> (exponentBits + digitBits)) & 1) === 1;
  const exponent = (bits >> digitBits) & (2 ** exponentBits - 1);
  const digits = bits & (2 ** digitBits - 1);
  const isHighest = exponent === 2 ** exponentBits - 1;
  if (specials === 'ieee' && isHighest) {
    if (digits !== 0) return Number.NaN;
    return isNegative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (specials === 'fn' && isHighest && digits === 2 ** digitBits - 1) return Number.NaN;
  if (specials === 'fnuz' && isNegative && exponent === 0 && digits === 0) return Number.NaN;
  const size =
    exponent === 0
      ? digits * 2 ** (1 - bias - digitBits)
      : (2 ** digitBits + digits) * 2 ** (exponent - bias - digitBits);
  return isNegative ? -size : size;
}

/** float8_e8m0fnu has an exponent and nothing else. */
function powerOf(bits: number): number {
  return bits === 255 ? Number.NaN : 2 ** (bits - 127);
}

/** Rounds to `digits` bits behind the leading one, with no exponent below `low`. */
function roundTo(value: number, digits: number, low: number): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  const step = 2 ** (Math.max(exponentOf(Math.abs(value)), low) - digits);
  return roundToEven(value / step) * step;
}

/** Returns the power of two that begins a positive number. */
function exponentOf(value: number): number {
  const estimate = Math.floor(Math.log2(value));
  if (2 ** estimate > value) return estimate - 1;
  return 2 ** (estimate + 1) <= value ? estimate + 1 : estimate;
}

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}
