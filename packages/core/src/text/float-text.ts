import { type FloatFormat, float16 } from '../numbers/float-format.js';
import { exponential, fixed, shortest } from './digits.js';

/** From this number on, texts have an exponent, if the format tells larger ones apart. */
const LARGE = 1e8;
const SMALL = 0.0001;
/** Numbers that are further apart have exponents. */
const FAR_APART = 1000;
/** The same for numbers on their own. */
const LARGE_SCALAR = 1e16;

/** The parts of a number's text. */
interface Parts {
  readonly whole: string;
  readonly fraction: string;
  /** With its sign; empty if there is none. */
  readonly exponent: string;
}

/** Writes the floats of one array: with as many digits as they need, and with aligned points. */
export class FloatText {
  readonly #format: FloatFormat;
  readonly #precision: number;
  readonly #plus: string;
  readonly #hasExponent: boolean;
  #left = 0;
  #right = 0;
  #exponentDigits = 0;

  /** `plus` is written in front of numbers that are not negative. */
  constructor(values: readonly number[], format: FloatFormat, precision: number, plus = '') {
    this.#format = format;
    this.#plus = plus;
    const finite = values.filter(Number.isFinite);
    this.#hasExponent = needsExponent(finite, format);
    const parts = finite.map((value) => this.#parts(value, precision, 0));
    for (const { whole, fraction, exponent } of parts) {
      this.#left = Math.max(this.#left, whole.length);
      this.#right = Math.max(this.#right, fraction.length);
      this.#exponentDigits = Math.max(this.#exponentDigits, exponent.length - 1);
    }
    this.#precision = this.#hasExponent ? this.#right : precision;
    if (finite.length < values.length) this.#makeRoom(values);
  }

  /** Returns the text of one of the numbers. */
  text(value: number): string {
    if (!Number.isFinite(value)) return this.#special(value).padStart(this.#width);
    const least = this.#hasExponent ? this.#precision : 0;
    const { whole, fraction, exponent } = this.#parts(value, this.#precision, least);
    const start = `${whole.padStart(this.#left)}.${fraction}`;
    if (!this.#hasExponent) return start.padEnd(this.#width);
    return `${start}e${exponent[0]}${exponent.slice(1).padStart(this.#exponentDigits, '0')}`;
  }

  get #width(): number {
    const ofExponent = this.#hasExponent ? this.#exponentDigits + 2 : 0;
    return this.#left + 1 + this.#right + ofExponent;
  }

  /** Widens the part before the point, so that NaN and infinity fit. */
  #makeRoom(values: readonly number[]): void {
    const isSigned = this.#plus !== '' || values.includes(Number.NEGATIVE_INFINITY);
    const behind = this.#width - this.#left;
    this.#left = Math.max(this.#left, 3 - behind, (isSigned ? 4 : 3) - behind);
  }

  #special(value: number): string {
    if (Number.isNaN(value)) return `${this.#plus}nan`;
    return value < 0 ? '-inf' : `${this.#plus}inf`;
  }

  #parts(value: number, most: number, least: number): Parts {
    const sign = isNegative(value) ? '-' : this.#plus;
    const size = Math.abs(value);
    const parts = this.#hasExponent
      ? scientific(size, this.#format, most, least)
      : positional(size, this.#format, most);
    return { ...parts, whole: sign + parts.whole };
  }
}

/**
 * Returns the text of a number on its own, as Python prints it. `end` is behind a number without a
 * fraction: `.0`, or nothing within a complex number.
 */
export function scalarText(value: number, format: FloatFormat, end = '.0'): string {
  if (Number.isNaN(value)) return 'nan';
  const sign = isNegative(value) ? '-' : '';
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return `${sign}inf`;
  const most = Number.POSITIVE_INFINITY;
  const large = Math.min(LARGE_SCALAR, 10 ** (format.precision + 1 > 15 ? 16 : format.precision));
  const isPositional = size === 0 || (size < large && size >= SMALL);
  if (!isPositional) {
    const { whole, fraction, exponent } = scientific(size, format, most, 0);
    return `${sign}${whole}${fraction && `.${fraction}`}e${exponent}`;
  }
  const { whole, fraction } = positional(size, format, most);
  return `${sign}${whole}${fraction === '' ? end : `.${fraction}`}`;
}

/** Whether numbers are large, small or far apart, in the arithmetic of their format. */
function needsExponent(finite: readonly number[], format: FloatFormat): boolean {
  // NumPy has no smaller format than float16.
  const { round, precision } = format.precision > float16.precision ? format : float16;
  let [most, least] = [0, Number.POSITIVE_INFINITY];
  for (const value of finite) {
    const size = Math.abs(value);
    if (size > most) most = size;
    if (size < least && size > 0) least = size;
  }
  if (most === 0) return false;
  if (most >= Math.min(LARGE, 10 ** precision) || least < round(SMALL)) return true;
  return round(most / least) > FAR_APART;
}

/** `most` is the most digits behind the point. */
function positional(size: number, format: FloatFormat, most: number): Parts {
  const { digits, exponent } = shortest(size, format);
  if (digits.length - 1 - exponent > most) {
    const [whole = '', fraction = ''] = fixed(size, most).split('.');
    return { whole, fraction: fraction.replace(/0+$/, ''), exponent: '' };
  }
  if (exponent < 0) {
    return {
      whole: '0',
      fraction: size === 0 ? '' : '0'.repeat(-exponent - 1) + digits,
      exponent: '',
    };
  }
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return { whole, fraction: digits.slice(exponent + 1), exponent: '' };
}

/** `least` digits are written behind the point, also beyond those that are needed. */
function scientific(size: number, format: FloatFormat, most: number, least: number): Parts {
  const short = shortest(size, format);
  const needed = short.digits.length - 1;
  const isCut = needed > most;
  const { digits, exponent } =
    isCut || needed < least ? exponential(size, isCut ? most : least) : short;
  const fraction = digits.slice(1);
  return {
    whole: digits[0] as string,
    fraction: isCut && least === 0 ? fraction.replace(/0+$/, '') : fraction,
    exponent: `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`,
  };
}

function isNegative(value: number): boolean {
  return value < 0 || Object.is(value, -0);
}
