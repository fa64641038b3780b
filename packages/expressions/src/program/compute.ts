import {
  bitsOf,
  isFloat,
  isSigned,
  isWide,
  type Operation,
  type Register,
  type Value,
} from './instruction.js';

/** What an instruction does with the values of its operands. */
export type Compute = (a: Value, b: Value, c: Value) => Value;

type Real = (a: number, b: number, c: number) => number;
type Wide = (a: bigint, b: bigint, c: bigint) => bigint;

/**
 * Returns what an operation does with values. `from` is the type of its last operand, which is that
 * of all but a condition.
 */
export function computeOf(operation: Operation, type: Register, from: Register): Compute {
  switch (operation) {
    case 'equal':
      return (a, b) => (a === b ? 1 : 0);
    case 'less':
      return (a, b) => (a < b ? 1 : 0);
    case 'lessEqual':
      return (a, b) => (a <= b ? 1 : 0);
    case 'select':
      return (condition, a, b) => (condition === 0 ? b : a);
    case 'convert':
      return convert(from, type);
    case 'reinterpret':
      return reinterpret(from, type);
  }
  if (isWide(type)) return wide(operation, type) as unknown as Compute;
  return (isFloat(type) ? real(operation, type) : integer(operation, type)) as Compute;
}

/** Rounds a double to the type. The result of one operation is then rounded once. */
function real(operation: Operation, type: Register): Real {
  const exact = REAL[operation] as Real;
  if (type === 'float64' || !ROUNDED.includes(operation)) return exact;
  return (a, b, c) => Math.fround(exact(a, b, c));
}

/** Twice as many bits as a float32 has, and 2 more, make a second rounding harmless. */
const ROUNDED: readonly Operation[] = ['add', 'subtract', 'multiply', 'divide', 'squareRoot'];

const REAL: Partial<Record<Operation, Real>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  remainder: (a, b) => a % b,
  negate: (a) => -a,
  absolute: Math.abs,
  squareRoot: Math.sqrt,
  floor: Math.floor,
  ceiling: Math.ceil,
  truncate: Math.trunc,
  roundToEven,
  minimum: (a, b) => Math.min(a, b),
  maximum: (a, b) => Math.max(a, b),
};

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest === 0 || Number.isNaN(rest)) return value;
  const rounded = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
  return rounded === 0 && value < 0 ? -0 : rounded;
}

/** Integers of at most 32 bits. */
function integer(operation: Operation, type: Register): Real {
  const wrap = wrapTo(type);
  const bits = bitsOf(type);
  const own: Partial<Record<Operation, Real>> = {
    multiply: Math.imul,
    quotient: (a, b) => Math.trunc(a / b),
    negate: (a) => -a,
    and: (a, b) => a & b,
    or: (a, b) => a | b,
    xor: (a, b) => a ^ b,
    not: type === 'bool' ? (a) => 1 - a : (a) => ~a,
    shiftLeft: (a, b) => a << b,
    shiftRight: isSigned(type) || bits < 32 ? (a, b) => a >> b : (a, b) => a >>> b,
  };
  const exact = own[operation] ?? (REAL[operation] as Real);
  return (a, b, c) => wrap(exact(a, b, c));
}

/** Returns what makes a value of the type of any whole number below 2^53. */
function wrapTo(type: Register): (value: number) => number {
  const unused = 32 - bitsOf(type);
  if (isSigned(type)) return (value) => (value << unused) >> unused;
  return (value) => (value << unused) >>> unused;
}

function wide(operation: Operation, type: Register): Wide {
  const wrap = (value: bigint) =>
    type === 'int64' ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value);
  const exact = WIDE[operation] as Wide;
  return (a, b, c) => wrap(exact(a, b, c));
}

const WIDE: Partial<Record<Operation, Wide>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  quotient: (a, b) => a / b,
  remainder: (a, b) => a % b,
  negate: (a) => -a,
  minimum: (a, b) => [a, b][Number(b < a)] as bigint,
  maximum: (a, b) => [a, b][Number(b > a)] as bigint,
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  not: (a) => ~a,
  shiftLeft: (a, b) => a << b,
  shiftRight: (a, b) => a >> b,
};

function convert(from: Register, to: Register): Compute {
  if (isFloat(to)) {
    const isFromWide = isWide(from);
    if (to === 'float64') return (value) => Number(value);
    return (value) => Math.fround(isFromWide ? besideFloat(value as bigint) : (value as number));
  }
  if (isWide(to)) {
    const wrap = to === 'int64' ? BigInt.asIntN : BigInt.asUintN;
    return (value) => wrap(64, typeof value === 'bigint' ? value : BigInt(Math.trunc(value)));
  }
  const wrap = wrapTo(to);
  return (value) =>
    wrap(typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : Math.trunc(value));
}

/**
 * Returns a double that rounds to the same float32 as an integer. A double cannot hold every
 * integer of 64 bits, and rounding twice could end at another float: the last digit is made odd if
 * digits are lost.
 */
function besideFloat(value: bigint): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  const kept = value >> 11n;
  return Number(kept << 11n === value ? kept : kept | 1n) * 2048;
}

const bits = new DataView(new ArrayBuffer(8));

function reinterpret(from: Register, to: Register): Compute {
  if (from === 'float32') {
    return (value) => {
      bits.setFloat32(0, value as number);
      return bits.getUint32(0);
    };
  }
  if (from === 'float64') {
    return (value) => {
      bits.setFloat64(0, value as number);
      return bits.getBigUint64(0);
    };
  }
  return (value) => {
    if (to === 'float64') {
      bits.setBigUint64(0, value as bigint);
      return bits.getFloat64(0);
    }
    bits.setUint32(0, value as number);
    return bits.getFloat32(0);
  };
}
