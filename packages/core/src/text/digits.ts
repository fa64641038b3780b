import type { FloatFormat } from '../numbers/float-format.js';
import { float64 } from '../numbers/float-format.js';

/** Decimal digits without trailing zeros: `digits[0]` stands for 10 to the power of `exponent`. */
export interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** No format needs more: 17 digits tell all doubles apart. */
const MOST_DIGITS = 17;
/** The most digits behind the point that the engine writes. */
const MOST_WRITTEN = 100;

/**
 * Returns the shortest digits that no other value of the format is nearer to, as NumPy's Dragon4
 * finds them. `value` is a finite number of the format, and not negative.
 */
export function shortest(value: number, format: FloatFormat): Decimal {
  if (value === 0 || format === float64) return parse(value.toExponential());
  // The gap below a power of two is half of that above it, so that a text above it may be as short
  // as none of the nearest ones.
  const isUneven = Number.isInteger(Math.log2(value));
  for (let count = 0; count < MOST_DIGITS; count++) {
    const near = exponential(value, count);
    for (const tried of isUneven ? [near, above(near)] : [near]) {
      const text = `${tried.digits}e${tried.exponent - count}`;
      if (format.round(Number(text)) === value) return trimmed(tried);
    }
  }
  return parse(value.toExponential());
}

/** Returns a number with `count` digits behind the point; ties go to an even digit. */
export function fixed(value: number, count: number): string {
  const text = value.toFixed(count);
  const halves = value * 2 ** (count + 1);
  const isTie = Number.isInteger(halves) && halves % 2 === 1;
  if (!isTie) return text;
  const cutOff = value.toFixed(count + 1).slice(0, -1);
  return endsEven(cutOff) ? cutOff.replace(/\.$/, '') : text;
}

/** Returns the digits of a number with `count` behind the first; ties go to an even digit. */
export function exponential(value: number, count: number): Decimal {
  const rounded = untrimmed(value.toExponential(count));
  if (count >= MOST_WRITTEN) return rounded;
  const longer = untrimmed(value.toExponential(count + 1));
  if (!longer.digits.endsWith('5') || !isExact(value, longer)) return rounded;
  const digits = longer.digits.slice(0, -1);
  return endsEven(digits) ? { digits, exponent: longer.exponent } : rounded;
}

function isExact(value: number, { digits }: Decimal): boolean {
  const all = untrimmed(value.toExponential(MOST_WRITTEN));
  return /^0*$/.test(all.digits.slice(digits.length));
}

function endsEven(digits: string): boolean {
  return Number(digits.replace('.', '').at(-1)) % 2 === 0;
}

/** Returns the next larger number with as many digits. */
function above({ digits, exponent }: Decimal): Decimal {
  const next = String(Number(digits) + 1);
  return { digits: next.slice(0, digits.length), exponent: exponent + next.length - digits.length };
}

function parse(text: string): Decimal {
  return trimmed(untrimmed(text));
}

function trimmed({ digits, exponent }: Decimal): Decimal {
  return { digits: digits.replace(/(?<=.)0+$/, ''), exponent };
}

function untrimmed(text: string): Decimal {
  const [digits = '', exponent] = text.split('e');
  return { digits: digits.replace('.', ''), exponent: Number(exponent) };
}
