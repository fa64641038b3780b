import type { DTypeName } from '@array-interface/core';
import type { Casting } from '@array-interface/core/numbers';
import { assertFits, keep, MOST_KNOWN } from '../launch/expression.js';
import { fault, type Operand, scalarValue, type Target } from '../launch/operands.js';
import { typeInputs, typeOutputs } from '../launch/types.js';
import { meaningOf, type TypedInput, type TypedOutput } from '../meaning/meaning-of.js';
import { evaluateUniform, hoist, scalarTypes } from '../program/hoist.js';
import {
  type Instruction,
  type Program,
  type Register,
  registersOf,
  type Value,
} from '../program/instruction.js';
import type { CompiledReduction, Programs, Step } from './compiled.js';
import { accumulatorType, type Definition, inText, type Part } from './definition.js';

const COUNT = { type: 'int64', as: 'int64', isArray: false, isWeak: true } as const;
const POSITION = { type: 'int64', as: 'int64', isArray: true, isWeak: false } as const;

/** Finds the types of a call. Throws ERR_ARGUMENT, ERR_CASTING. */
export function compileReduction(
  definition: Definition,
  operands: readonly Operand[],
  out: readonly Target[],
  casting: Casting,
): CompiledReduction {
  for (const { name, array } of operands) {
    const text = (['reduce', 'post'] as const).find((one) => definition[one].used.has(name));
    if (array === null || text === undefined) continue;
    throw fault(
      'ERR_ARGUMENT',
      name,
      `a number, since '${text}' uses it`,
      'an array',
      "use arrays in 'map' alone",
    );
  }
  const { inputs, variables } = typeInputs(operands, definition.declared, casting);
  const outputs = typeOutputs(definition.outputs, variables, out, casting);
  const key = JSON.stringify([inputs, outputs]);
  const found = definition.known.get(key);
  if (found !== undefined) return found;
  const made = compileTypes(definition, inputs, outputs, casting);
  keep(definition.known, key, made, MOST_KNOWN);
  return made;
}

/** The same for operands and outputs of these types. */
export function compileTypes(
  definition: Definition,
  inputs: readonly TypedInput[],
  outputs: readonly TypedOutput[],
  casting: Casting,
): CompiledReduction {
  const { accumulators, names, inputs: operands, count, position } = definition;
  const withCount = operands.includes(count) ? inputs : [...inputs, { ...COUNT, name: count }];
  const withPosition = operands.includes(position)
    ? withCount
    : [...withCount, { ...POSITION, name: position }];
  const kept = { stored: null, casting, keepsNaN: true };
  const wanted = names.map(([, , name]) => ({ ...kept, name, type: null }));
  const first = stepOf(definition.map, withPosition, wanted);
  const types = first.kernel.outputs.map(({ type }) => accumulatorType(type));
  const typed = names.map(([, , name], index) => ({
    ...kept,
    name,
    type: types[index] as DTypeName,
  }));
  const isHalf = first.kernel.outputs.some(({ type }) => type === 'float16');
  const map = isHalf ? stepOf(definition.map, withPosition, typed) : first;
  const values = (of: 0 | 1) =>
    names.map((own, index) => accumulator(own[of], types[index] as DTypeName));
  const numbers = withCount.filter(({ name }) => !accumulators.includes(name));
  const reduce = inOrder(
    stepOf(definition.reduce, numbers, typed, [...values(0), ...values(1)]),
    typed,
  );
  const sums = accumulators.map((name, index) => accumulator(name, types[index] as DTypeName));
  const post = stepOf(definition.post, numbers, outputs, sums);
  const programs = numbered(map, reduce, post);
  const scalars = scalarTypesOf(programs);
  return { map, reduce, post, accumulators: types, programs, scalars, kernels: new Map() };
}

function accumulator(name: string, type: DTypeName): TypedInput {
  return { name, type, as: type, isArray: true, isWeak: false };
}

/** A text with its inputs: `always`, and those of `inputs` that it uses. */
function stepOf(
  { label, syntax, used }: Part,
  inputs: readonly TypedInput[],
  outputs: readonly TypedOutput[],
  always: readonly TypedInput[] = [],
): Step {
  const own = [...always, ...inputs.filter((one) => used.has(one.name))];
  const meaning = inText(label, () => meaningOf(syntax, own, outputs));
  return { ...meaning, ...hoist(meaning.program), inputs: own };
}

/** The step with its outputs in the order of others, and not of its text. */
function inOrder(step: Step, outputs: readonly TypedOutput[]): Step {
  const { kernel } = step;
  const own = outputs.map(({ name }) => kernel.outputs.find((one) => one.name === name));
  return { ...step, kernel: { ...kernel, outputs: own as Program['outputs'] } };
}

/** Numbers the scalars of the three programs in a row. */
function numbered(map: Step, reduce: Step, post: Step): Programs {
  const shift = ({ kernel }: Step, by: number): Program => ({
    ...kernel,
    instructions: kernel.instructions.map((one) =>
      one.operation === 'scalar' ? { ...one, source: (one.source as number) + by } : one,
    ),
  });
  const ofMap = map.uniform.length;
  return {
    map: map.kernel,
    reduce: shift(reduce, ofMap),
    finish: shift(post, ofMap + reduce.uniform.length),
  };
}

function scalarTypesOf({ map, reduce, finish }: Programs): Register[] {
  const instructions = [map, reduce, finish].flatMap((one) => one.instructions);
  return scalarTypes({ ...map, instructions });
}

const NO_VALUES: Value[] = [];

/** Returns the values of the numbers of the programs of a call. Throws ERR_TYPE, ERR_OVERFLOW. */
export function scalarsOf(
  { map, reduce, post }: CompiledReduction,
  operands: readonly Operand[],
  count: number,
): Value[] {
  if (takesNone(map) && takesNone(reduce) && takesNone(post)) return NO_VALUES;
  return [map, reduce, post].flatMap((step) => {
    const given = step.inputs.map(({ name, type, isArray }): Value | undefined => {
      if (isArray) return undefined;
      const operand = operands.find((one) => one.name === name);
      return operand === undefined
        ? BigInt(count)
        : scalarValue(operand.scalar, type as Register, name);
    });
    assertFits(step, given);
    return evaluateUniform(step.program, step.uniform, given);
  });
}

function takesNone({ uniform, checks }: CompiledReduction['map']): boolean {
  return uniform.length === 0 && checks.length === 0;
}

/** The name of an accumulator's part in memory. */
function partName(level: number, index: number): string {
  return `$part${level}_${index}`;
}

/**
 * Returns the programs of two launches: the first stores accumulators as they are, the second loads
 * them. Both have all numbers, some of which are not used.
 */
export function inTwo({ map, reduce, finish }: Programs, level = 0): readonly [Programs, Programs] {
  const parts = finish.inputs.filter(({ isArray }) => isArray).map(({ type }) => registersOf(type));
  const registers = parts.flat();
  const loads = parts.flatMap((own, source) =>
    own.map((type, part): Instruction => ({ operation: 'load', type, operands: [], source, part })),
  );
  const keep: Program = {
    instructions: loads,
    inputs: finish.inputs,
    outputs: registers.map((type, index) => ({
      name: partName(level, index),
      type,
      registers: [index],
    })),
    axes: 0,
  };
  let next = 0;
  const take: Program = {
    instructions: registers.map((type, source) => ({
      operation: 'load',
      type,
      operands: [],
      source,
      part: 0,
    })),
    inputs: registers.map((type, index) => ({ name: partName(level, index), type, isArray: true })),
    outputs: map.outputs.map((output) => ({
      ...output,
      registers: output.registers.map(() => next++),
    })),
    axes: 0,
  };
  return [
    { map, reduce, finish: keep },
    { map: take, reduce, finish },
  ];
}
