import type { Builder } from '../program/builder.js';
import type { Value } from '../program/instruction.js';

/** Numbers as the sum of two float64, the second much smaller: twice as many digits. */
export type Pair = readonly [high: number, low: number];

/** 2^27 + 1, which cuts a float64 in two halves: Dekker, "A floating-point technique", 1971. */
const SPLITTER = 2 ** 27 + 1;
/** Adding this to a smaller whole number puts it into the last bits. */
const SHIFTER = 1.5 * 2 ** 52;

/** Arithmetic of float64 in a program. Registers are float64 unless a name says otherwise. */
export class Doubles {
  readonly b: Builder;

  constructor(b: Builder) {
    this.b = b;
  }

  number = (value: number): number => this.b.constant('float64', value);
  bits = (value: Value): number => this.b.constant('uint64', value);
  add = (x: number, y: number): number => this.b.op('add', x, y);
  subtract = (x: number, y: number): number => this.b.op('subtract', x, y);
  multiply = (x: number, y: number): number => this.b.op('multiply', x, y);
  divide = (x: number, y: number): number => this.b.op('divide', x, y);
  absolute = (x: number): number => this.b.op('absolute', x);

  scale(x: number, factor: number): number {
    return this.multiply(x, this.number(factor));
  }

  plus(x: number, addend: number): number {
    return this.add(x, this.number(addend));
  }

  /** Whether x is less than a number, as a bool. */
  isBelow(x: number, limit: number): number {
    return this.b.test('less', x, this.number(limit));
  }

  isAbove(x: number, limit: number): number {
    return this.b.test('less', this.number(limit), x);
  }

  equals(x: number, value: number): number {
    return this.b.test('equal', x, this.number(value));
  }

  /** The value of a polynomial, whose coefficients begin with the constant one. */
  polynomial(x: number, coefficients: readonly number[]): number {
    const [last, ...others] = coefficients.toReversed() as [number, ...number[]];
    return others.reduce((sum, one) => this.plus(this.multiply(sum, x), one), this.number(last));
  }

  /** A sum without an error. */
  sum(x: number, y: number): Pair {
    const high = this.add(x, y);
    const part = this.subtract(high, x);
    const lost = this.add(this.subtract(x, this.subtract(high, part)), this.subtract(y, part));
    return [high, lost];
  }

  /** The same if the first is the larger one. */
  quickSum(x: number, y: number): Pair {
    const high = this.add(x, y);
    return [high, this.subtract(y, this.subtract(high, x))];
  }

  /** A product without an error, of numbers below 2^995. */
  product(x: number, y: number): Pair {
    const high = this.multiply(x, y);
    const [xh, xl] = this.#halves(x);
    const [yh, yl] = this.#halves(y);
    const first = this.subtract(this.multiply(xh, yh), high);
    const middle = this.add(this.add(first, this.multiply(xh, yl)), this.multiply(xl, yh));
    return [high, this.add(middle, this.multiply(xl, yl))];
  }

  /** The product of numbers in two words, of which the second counts a little. */
  productOf([x, xLow]: Pair, [y, yLow]: Pair): Pair {
    const [high, lost] = this.product(x, y);
    const small = this.add(this.multiply(x, yLow), this.multiply(xLow, y));
    return this.quickSum(high, this.add(lost, small));
  }

  /** The quotient of numbers in two words. */
  quotientOf([x, xLow]: Pair, [y, yLow]: Pair): Pair {
    const first = this.divide(x, y);
    const [back, lost] = this.product(first, y);
    const left = this.subtract(
      this.subtract(this.subtract(x, back), lost),
      this.multiply(first, yLow),
    );
    return [first, this.divide(this.add(left, xLow), y)];
  }

  #halves(x: number): Pair {
    const wide = this.scale(x, SPLITTER);
    const high = this.subtract(wide, this.subtract(wide, x));
    return [high, this.subtract(x, high)];
  }

  /** x * 2^n, for a whole n from -2000 to 2000. Rounded once if the result is subnormal. */
  scaleByPower(x: number, n: number): number {
    const half = this.b.op('roundToEven', this.scale(n, 0.5));
    const other = this.subtract(n, half);
    return this.multiply(this.multiply(x, this.powerOfTwo(half)), this.powerOfTwo(other));
  }

  /** 2^n, for a whole n from -1022 to 1023. */
  powerOfTwo(n: number): number {
    const shifted = this.b.reinterpret(this.plus(n, SHIFTER));
    const exponent = this.b.op('shiftLeft', shifted, this.bits(52));
    return this.b.reinterpret(this.b.op('add', exponent, this.bits(0x3ff0_0000_0000_0000n)));
  }
}
