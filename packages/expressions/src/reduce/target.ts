import type { FormArray } from '../code/form.js';
import { Builder } from '../program/builder.js';
import type { Program, Register, Value } from '../program/instruction.js';

/** A value that changes. */
export interface Variable<V> {
  get(): V;
  set(value: V): void;
}

/** A row of values of an item, by their indices. */
export interface Row<V> {
  get(index: V): V;
  set(index: V, value: V): void;
}

/** Where what an inlined program takes is. */
export interface Sources<V> {
  load?(source: number, part: number, type: Register): V;
  scalar?(source: number, type: Register): V;
  index?(axis: number): V;
}

/**
 * Writes a kernel for one kind of device. `V` is a value in its code. Indices have one type, uint32
 * or uint64.
 */
export interface Target<V> {
  /**
   * The item, in C order, as uint64. Ends the others. Indices of 32 bits could wrap around, so
   * compilers for CPUs would load the elements of neighbouring items one by one.
   */
  item(): V;
  /** The index along the second axis of the range, the fastest, likewise. */
  fast(): V;
  parameter(name: string, type: Register): V;
  constant(type: Register, value: Value): V;
  /** Adds a program, and returns the values of its instructions. */
  inline(program: Program, sources: Sources<V>): readonly V[];
  /** The element of an array at a place, in elements, as uint64. */
  load(array: FormArray, place: V, part: number, type: Register): V;
  store(array: FormArray, place: V, part: number, type: Register, value: V): void;
  /** A variable. What is in it is not computed in another way than by steps if it is volatile. */
  variable(type: Register, isVolatile?: boolean): Variable<V>;
  row(type: Register, length: number): Row<V>;
  /** Repeats while a condition, a bool, is true. */
  loop(condition: () => V, body: () => void): void;
  /** Does something if a condition is true. */
  when(condition: V, body: () => void): void;
}

/** Computes integers by instructions. `build` takes the operands and returns the results. */
export function compute<V, const R extends readonly number[]>(
  target: Target<V>,
  operands: readonly (readonly [Register, V])[],
  build: (b: Builder, ...operands: number[]) => R,
): { [K in keyof R]: V } {
  const builder = new Builder();
  const results = build(builder, ...operands.map(([type], index) => builder.scalar(index, type)));
  const program = { instructions: builder.instructions, inputs: [], outputs: [], axes: 0 };
  const values = target.inline(program, {
    scalar: (source) => (operands[source] as readonly [Register, V])[1],
  });
  return results.map((result) => values[result]) as { [K in keyof R]: V };
}
