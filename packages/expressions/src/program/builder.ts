import { computeOf } from './compute.js';
import {
  type Instruction,
  isWide,
  type Operation,
  type Output,
  type Register,
  type Value,
} from './instruction.js';

/** Maximum number of instructions of a program. */
export const MOST_INSTRUCTIONS = 16_384;

/**
 * Collects instructions. Equal ones are one, and those over constants are done at once: that is
 * exact, since each has one result.
 */
export class Builder {
  readonly instructions: Instruction[] = [];
  readonly #known = new Map<string, number>();

  /** The type of an instruction's result. */
  typeOf(index: number): Register {
    return this.#at(index).type;
  }

  /** The value of a constant. Undefined for anything else. */
  valueOf(index: number): Value | undefined {
    const { operation, value } = this.#at(index);
    return operation === 'constant' ? value : undefined;
  }

  /** A constant of a type: a whole number for integers, 0 or 1 for bools. */
  constant(type: Register, value: Value): number {
    const own = isWide(type) ? BigInt(value) : Number(value);
    // A NaN that was computed may have a sign, which a typed array keeps.
    const shown = Number.isNaN(own) ? Number.NaN : own;
    return this.#add({ operation: 'constant', type, operands: [], value: shown });
  }

  load(source: number, part: number, type: Register): number {
    return this.#add({ operation: 'load', type, operands: [], source, part });
  }

  scalar(source: number, type: Register): number {
    return this.#add({ operation: 'scalar', type, operands: [], source });
  }

  index(axis: number): number {
    return this.#add({ operation: 'index', type: 'int64', operands: [], source: axis });
  }

  /** An operation whose result has the type of its first operand. */
  op(operation: Operation, ...operands: number[]): number {
    return this.#compute(operation, this.typeOf(operands[0] as number), operands);
  }

  /** An operation that makes a bool. */
  test(operation: 'equal' | 'less' | 'lessEqual', a: number, b: number): number {
    return this.#compute(operation, 'bool', [a, b]);
  }

  select(condition: number, a: number, b: number): number {
    if (a === b) return a;
    const known = this.valueOf(condition);
    if (known !== undefined) return known === 0 ? b : a;
    return this.#compute('select', this.typeOf(a), [condition, a, b]);
  }

  /** A conversion between numbers. From or to a type of the same name: the value itself. */
  convert(value: number, type: Register): number {
    return this.typeOf(value) === type ? value : this.#compute('convert', type, [value]);
  }

  /** The bits of a float, or a float of bits. */
  reinterpret(value: number): number {
    const type = { float32: 'uint32', float64: 'uint64', uint32: 'float32', uint64: 'float64' };
    const to = type[this.typeOf(value) as keyof typeof type] as Register;
    return this.#compute('reinterpret', to, [value]);
  }

  #compute(operation: Operation, type: Register, operands: readonly number[]): number {
    const values = operands.map((one) => this.valueOf(one));
    if (values.every((one) => one !== undefined)) {
      const from = this.typeOf(operands.at(-1) as number);
      const [a, b, c] = values as [Value, Value, Value];
      return this.constant(type, computeOf(operation, type, from)(a, b, c));
    }
    return this.#add({ operation, type, operands });
  }

  #add(instruction: Instruction): number {
    const { operation, type, operands, value, source, part } = instruction;
    const shown = Object.is(value, -0) ? '-0' : value;
    const key = `${operation} ${type} ${operands.join()} ${shown} ${source} ${part}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const index = this.instructions.push(instruction) - 1;
    this.#known.set(key, index);
    return index;
  }

  #at(index: number): Instruction {
    return this.instructions[index] as Instruction;
  }
}

/** Returns the instructions that outputs need, and the outputs with their new indices. */
export function pruned(
  instructions: readonly Instruction[],
  outputs: readonly Output[],
): { readonly instructions: Instruction[]; readonly outputs: Output[] } {
  const needed = new Set(outputs.flatMap(({ registers }) => registers));
  for (let index = instructions.length - 1; index >= 0; index--) {
    if (needed.has(index))
      for (const one of (instructions[index] as Instruction).operands) needed.add(one);
  }
  const places = new Map<number, number>();
  const kept: Instruction[] = [];
  for (const [index, one] of instructions.entries()) {
    if (!needed.has(index)) continue;
    const operands = one.operands.map((operand) => places.get(operand) as number);
    places.set(index, kept.push({ ...one, operands }) - 1);
  }
  const moved = outputs.map((output) => ({
    ...output,
    registers: output.registers.map((register) => places.get(register) as number),
  }));
  return { instructions: kept, outputs: moved };
}
