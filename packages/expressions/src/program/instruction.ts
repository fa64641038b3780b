import type { DTypeName } from '@array-interface/core';

/** The types of registers. A float16 is its 16 bits; a complex number is two registers. */
export type Register =
  | 'bool'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float32'
  | 'float64';

/** What is in a register: a bigint for integers of 64 bits, else a number. A bool is 0 or 1. */
export type Value = number | bigint;

/**
 * What an instruction does. Each has one result, to the bit: it is exact, or rounded once by IEEE
 * 754. A NaN is a NaN, whatever its bits.
 */
export type Operation =
  /** The element of an array, or one part of a complex one. */
  | 'load'
  /** A number that all elements share. */
  | 'scalar'
  | 'constant'
  /** The index of the element along an axis. */
  | 'index'
  /** Integers wrap around. */
  | 'add'
  | 'subtract'
  | 'multiply'
  /** Of floats. */
  | 'divide'
  /** Of integers, cut off. The divisor is not 0, and not -1 below the least integer. */
  | 'quotient'
  /** What `quotient` leaves; of floats, C's `fmod`. */
  | 'remainder'
  | 'negate'
  /** Of floats, as the next ones. */
  | 'absolute'
  | 'squareRoot'
  | 'floor'
  | 'ceiling'
  | 'truncate'
  | 'roundToEven'
  /** NaN if one is NaN; -0 is less than 0. */
  | 'minimum'
  | 'maximum'
  /** Of integers and bools. */
  | 'and'
  | 'or'
  | 'xor'
  | 'not'
  /** By 0 to the width of the type less 1. */
  | 'shiftLeft'
  | 'shiftRight'
  /** These make bools. */
  | 'equal'
  | 'less'
  | 'lessEqual'
  /** The second operand if the first is true, else the third. */
  | 'select'
  /**
   * To another type. Integers wrap around. A float becomes an integer only if its whole part fits.
   * Nothing becomes a bool.
   */
  | 'convert'
  /** The bits of a float as an unsigned integer, or back. */
  | 'reinterpret';

/** One step of a program. */
export interface Instruction {
  readonly operation: Operation;
  /** The type of the result. */
  readonly type: Register;
  /** Indices of earlier instructions. */
  readonly operands: readonly number[];
  /** Of a constant. */
  readonly value?: Value;
  /** Of `load` and `scalar`: the operand's index. Of `index`: the axis. */
  readonly source?: number;
  /** Of a `load`: 0, or 1 for the imaginary part. */
  readonly part?: number;
}

/** An operand of a program. */
export interface Input {
  readonly name: string;
  /** The type of its elements, or of the number. */
  readonly type: DTypeName;
  readonly isArray: boolean;
}

/** What a program writes for each element. */
export interface Output {
  readonly name: string;
  /** The type of the elements. */
  readonly type: DTypeName;
  /** The index of the instruction for each part. */
  readonly registers: readonly number[];
}

/** The instructions for one element. */
export interface Program {
  readonly instructions: readonly Instruction[];
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  /** Number of axes that the indices in the text need. */
  readonly axes: number;
}

/** Returns the number of bits of a type. */
export function bitsOf(type: Register): number {
  return type === 'bool' ? 8 : Number(/\d+$/.exec(type)?.[0]);
}

export function isFloat(type: Register): boolean {
  return type.startsWith('float');
}

export function isSigned(type: Register): boolean {
  return type.startsWith('int');
}

/** Returns whether registers of the type hold bigints. */
export function isWide(type: Register): boolean {
  return type === 'int64' || type === 'uint64';
}

/** Returns the least and the greatest value of an integer type. */
export function rangeOf(type: Register): readonly [least: bigint, most: bigint] {
  const all = 1n << BigInt(bitsOf(type));
  return isSigned(type) ? [-all / 2n, all / 2n - 1n] : [0n, all - 1n];
}

/** Returns the types of an element's registers, as it is loaded and stored. */
export function registersOf(type: DTypeName): readonly Register[] {
  if (type === 'float16') return ['uint16'];
  if (type === 'complex64') return ['float32', 'float32'];
  return type === 'complex128' ? ['float64', 'float64'] : [type];
}
