import { computeOf } from './compute.js';
import type { Instruction, Program, Register, Value } from './instruction.js';

/** A program, apart from what depends on numbers and on no element. */
export interface Hoisted {
  /** Computes one element. Its `scalar` number n is the value of `uniform[n]`. */
  readonly kernel: Program;
  /** Instructions of the whole program whose results all elements share, by their index there. */
  readonly uniform: readonly number[];
}

const PER_ELEMENT: readonly string[] = ['load', 'index'];

/** Takes what depends on numbers alone out of a program. Constants stay in it. */
export function hoist(program: Program): Hoisted {
  const { instructions, outputs } = program;
  const isUniform: boolean[] = [];
  for (const { operation, operands } of instructions) {
    isUniform.push(!PER_ELEMENT.includes(operation) && operands.every((one) => isUniform[one]));
  }
  const uniform: number[] = [];
  const kernel: Instruction[] = [];
  const places = new Map<number, number>();
  const placeOf = (index: number): number => {
    const known = places.get(index);
    if (known !== undefined) return known;
    const { operation, type, value } = instructions[index] as Instruction;
    const isConstant = operation === 'constant';
    const source = isConstant ? {} : { source: uniform.push(index) - 1 };
    const made = isConstant
      ? { operation, type, operands: [], value: value as Value }
      : { operation: 'scalar' as const, type, operands: [], ...source };
    const place = kernel.push(made) - 1;
    places.set(index, place);
    return place;
  };
  for (const [index, one] of instructions.entries()) {
    if (isUniform[index]) continue;
    const operands = one.operands.map(placeOf);
    places.set(index, kernel.push({ ...one, operands }) - 1);
  }
  const moved = outputs.map((output) => ({ ...output, registers: output.registers.map(placeOf) }));
  return { kernel: { ...program, instructions: kernel, outputs: moved }, uniform };
}

/** Returns the types of the numbers that a kernel takes. */
export function scalarTypes({ instructions }: Program): Register[] {
  const types: Register[] = [];
  for (const { operation, source, type } of instructions) {
    if (operation === 'scalar') types[source as number] = type;
  }
  return types;
}

/** Returns the values of these instructions, which depend on no element. */
export function evaluateUniform(
  { instructions }: Program,
  wanted: readonly number[],
  scalars: readonly (Value | undefined)[],
): Value[] {
  const values = new Map<number, Value>();
  const last = Math.max(-1, ...wanted);
  for (let index = 0; index <= last; index++) {
    const { operation, type, operands, value, source } = instructions[index] as Instruction;
    if (operation === 'constant') values.set(index, value as Value);
    else if (operation === 'scalar') values.set(index, scalars[source as number] as Value);
    else if (!PER_ELEMENT.includes(operation) && operands.every((one) => values.has(one))) {
      const from = (instructions[operands.at(-1) as number] as Instruction).type;
      const [a, b, c] = operands.map((one) => values.get(one)) as [Value, Value, Value];
      values.set(index, computeOf(operation, type, from)(a, b, c));
    }
  }
  return wanted.map((index) => values.get(index) as Value);
}
