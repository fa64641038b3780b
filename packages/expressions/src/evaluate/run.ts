import type { TypedArray } from '@array-interface/core';
import { type Compute, computeOf } from '../program/compute.js';
import {
  type Instruction,
  isWide,
  type Program,
  type Register,
  type Value,
} from '../program/instruction.js';

/** An array in memory that JavaScript sees. */
export interface Elements {
  /** Two entries for each complex number. */
  readonly elements: TypedArray;
  /** Index of the element with all-zero indices. */
  readonly offset: number;
  /** Strides in entries of `elements`, one for each axis of the loop. */
  readonly strides: readonly number[];
}

/** Elements computed at once, so that their registers stay in a cache. */
const BLOCK = 512;

type Registers = Float64Array | BigInt64Array | BigUint64Array;
type Step = (first: number, count: number) => void;

/** Which elements of a shape are computed, in C order. */
interface Part {
  readonly first: number;
  readonly count: number;
}

/**
 * Computes a program for elements of a shape. Loads all of a block before it stores, so an output
 * may be an input with the same elements at the same places. `inputs` are those of the program, with
 * nothing for a number; `scalars` are those of its instructions.
 */
export function runProgram(
  program: Program,
  shape: readonly number[],
  inputs: readonly (Elements | undefined)[],
  outputs: readonly Elements[],
  scalars: readonly Value[],
  part: Part,
): void {
  const places = new Float64Array(BLOCK);
  const { registers, steps } = prepareSteps(
    program,
    scalars,
    ({ operation, source, part, type }, target) => {
      if (operation === 'index')
        return indicesAlong(shape, source as number, target as BigInt64Array);
      const { elements, offset, strides } = inputs[source as number] as Elements;
      return (first, count) => {
        findPlaces(places, shape, strides, offset + (part as number), first, count);
        loadElements(elements, places, type, target, count);
      };
    },
  );
  for (const [index, output] of program.outputs.entries()) {
    const { elements, offset, strides } = outputs[index] as Elements;
    for (const [word, register] of output.registers.entries()) {
      const source = registers[register] as Registers;
      steps.push((first, count) => {
        findPlaces(places, shape, strides, offset + word, first, count);
        for (let i = 0; i < count; i++) elements[places[i] as number] = source[i] as never;
      });
    }
  }
  const end = part.first + part.count;
  for (let { first } = part; first < end; first += BLOCK) {
    for (const step of steps) step(first, Math.min(BLOCK, end - first));
  }
}

function newRegisters(type: Register): Registers {
  if (!isWide(type)) return new Float64Array(BLOCK);
  return type === 'int64' ? new BigInt64Array(BLOCK) : new BigUint64Array(BLOCK);
}

/**
 * Returns the registers of a program, with what is done for each block. `provide` says what a
 * `load` or an `index` does, or in which registers its values are; a constant or a number is in all
 * of its register from the start.
 */
function prepareSteps(
  { instructions }: Program,
  scalars: readonly Value[],
  provide: (instruction: Instruction, target: Registers) => Step | Registers,
): { readonly registers: readonly Registers[]; readonly steps: Step[] } {
  const registers = instructions.map(({ type }) => newRegisters(type));
  const steps: Step[] = [];
  for (const [index, instruction] of instructions.entries()) {
    const { operation, type, operands, value, source } = instruction;
    const target = registers[index] as Registers;
    if (operation === 'constant' || operation === 'scalar') {
      target.fill((operation === 'constant' ? value : scalars[source as number]) as never);
    } else if (operation === 'load' || operation === 'index') {
      const provided = provide(instruction, target);
      if (typeof provided === 'function') steps.push(provided);
      else registers[index] = provided;
    } else {
      const from = (instructions[operands.at(-1) as number] as Instruction).type;
      const own = operands.map((one) => registers[one] as Registers);
      steps.push(computed(computeOf(operation, type, from), target, own));
    }
  }
  return { registers, steps };
}

/** Loads the elements at some places. */
function loadElements(
  elements: TypedArray,
  places: Float64Array,
  type: Register,
  target: Registers,
  count: number,
): void {
  const isBool = type === 'bool';
  for (let i = 0; i < count; i++) {
    const element = elements[places[i] as number] as Value;
    target[i] = (isBool && element !== 0 ? 1 : element) as never;
  }
}

function computed(compute: Compute, target: Registers, operands: readonly Registers[]): Step {
  const [a, b = a, c = a] = operands as [Registers, Registers?, Registers?];
  return (_, count) => {
    for (let i = 0; i < count; i++) {
      target[i] = compute(
        a[i] as Value,
        (b as Registers)[i] as Value,
        (c as Registers)[i] as Value,
      ) as never;
    }
  };
}

function indicesAlong(shape: readonly number[], axis: number, target: BigInt64Array): Step {
  const inner = shape.slice(axis + 1).reduce((product, length) => product * length, 1);
  const length = shape[axis] as number;
  return (first, count) => {
    for (let i = 0; i < count; i++) target[i] = BigInt(Math.floor((first + i) / inner) % length);
  };
}

/** Writes where elements `first` to `first + count`, in C order, are in an array. */
function findPlaces(
  places: Float64Array,
  shape: readonly number[],
  strides: readonly number[],
  offset: number,
  first: number,
  count: number,
): void {
  const last = shape.length - 1;
  const row = shape[last] ?? 1;
  const step = strides[last] ?? 0;
  let done = 0;
  while (done < count) {
    let left = Math.floor((first + done) / row);
    const column = first + done - left * row;
    let place = offset + column * step;
    for (let axis = last - 1; axis >= 0; axis--) {
      const length = shape[axis] as number;
      const above = Math.floor(left / length);
      place += (left - above * length) * (strides[axis] as number);
      left = above;
    }
    const end = Math.min(count, done + row - column);
    for (; done < end; done++, place += step) places[done] = place;
  }
}
