import type { Casting } from '@array-interface/core/numbers';
import { checkName, checkNames, RESULT } from '../meaning/check-names.js';
import {
  type Meaning,
  meaningOf,
  type TypedInput,
  type TypedOutput,
} from '../meaning/meaning-of.js';
import { isReduction } from '../meaning/reductions.js';
import { evaluateUniform, type Hoisted, hoist } from '../program/hoist.js';
import type { Program, Register, Value } from '../program/instruction.js';
import { faultAt } from '../syntax/fault.js';
import type { Syntax } from '../syntax/node.js';
import { parse } from '../syntax/parse.js';
import type { Kernels, Prepared } from './kernel.js';
import { areAlike, type Layouts } from './layout.js';
import { shapeOf } from './loop.js';
import { fault, type Operand, scalarValue, type Target } from './operands.js';
import { typeInputs, typeOutputs } from './types.js';

/** A text and the types of its operands and outputs. Keeps what it made for types that it met. */
export interface Expression {
  readonly name: string;
  readonly syntax: Syntax;
  /** The names of the operands. */
  readonly inputs: readonly string[];
  /** Their types. Null: each has that of its argument. */
  readonly declared: Readonly<Record<string, string>> | null;
  readonly outputs: Readonly<Record<string, string>>;
  readonly outputNames: readonly string[];
  /** Whether the text has reductions, so that `stages` cuts it into several launches. */
  readonly hasReductions: boolean;
  readonly known: Map<string, Compiled>;
  /** What calls with operands of some layouts need, the last one used first. */
  readonly plans: Plan[];
}

/** A text with the types of one call. */
interface Compiled extends Meaning, Hoisted {
  readonly kernels: Kernels;
  /** The indices of the operands that the kernel loads, in order. */
  readonly loaded: readonly number[];
}

/** A call whose types and shapes were checked. */
interface Bound {
  readonly compiled: Compiled;
  readonly shape: readonly number[];
  /** The type of each operand that is a number. */
  readonly types: readonly Register[];
}

/** All that is the same for calls whose operands have the same types and layouts. */
export interface Plan {
  readonly layouts: Layouts;
  readonly bound: Bound;
  readonly prepared: Prepared;
}

/** The type variable of a result that has its own type. */
export const OWN_TYPE = 'Result';

/** Maximum number of types for which an expression keeps its code. */
export const MOST_KNOWN = 64;

/** Maximum number of other names of operands for which a text is kept. */
const MOST_NAMES = 7;

/** Maximum number of texts that are kept. */
const MOST_TEXTS = 256;
/** The expressions of each text, by the names of their operands. */
const texts = new Map<string, Expression[]>();

/** Makes an expression. */
export function newExpression(
  name: string,
  syntax: Syntax,
  inputs: readonly string[],
  declared: Expression['declared'],
  outputs: Expression['outputs'],
): Expression {
  const outputNames = Object.keys(outputs);
  const hasReductions = syntax.nodes.some(isReduction);
  return {
    name,
    syntax,
    inputs,
    declared,
    outputs,
    outputNames,
    hasReductions,
    known: new Map(),
    plans: [],
  };
}

/**
 * Returns an expression of a text with one result, whose operands have the types of a call. Throws
 * what `parse` and `checkNames` throw.
 */
export function freeExpression(text: string, inputs: readonly string[]): Expression {
  const same = texts.get(text) ?? [];
  const kept = same.find((one) => areSameNames(one.inputs, inputs));
  if (kept !== undefined) return kept;
  for (const name of inputs) checkName(name, 'values');
  const outputs = { [RESULT]: OWN_TYPE };
  const syntax = parse(text);
  checkNames(syntax, inputs, [RESULT]);
  const made = newExpression('evaluate', syntax, inputs, null, outputs);
  keep(texts, text, [...same.slice(-MOST_NAMES), made], MOST_TEXTS);
  return made;
}

function areSameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

/** Adds an entry to a map, and removes the oldest one beyond a number of them. */
export function keep<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  if (map.size >= most && !map.has(key)) map.delete(map.keys().next().value as string);
  map.set(key, value);
}

/** Keeps a plan for the next calls. */
export function keepPlan<P>(plans: P[], plan: P): void {
  plans.unshift(plan);
  if (plans.length > MOST_KNOWN) plans.pop();
}

/** Returns the plan of an earlier call that needed the same code. */
export function findPlan<P extends { readonly layouts: Layouts }>(
  plans: P[],
  operands: readonly Operand[],
  given: readonly Target[],
  options: string,
): P | null {
  for (let index = 0; index < plans.length; index++) {
    const plan = plans[index] as P;
    if (!areAlike(plan.layouts, operands, given, options)) continue;
    if (index > 0) plans.unshift(...plans.splice(index, 1));
    return plan;
  }
  return null;
}

/**
 * Finds the types of a call, and checks its shapes. Throws ERR_ARGUMENT, ERR_CASTING,
 * ERR_SHAPE_MISMATCH.
 */
export function bind(
  expression: Expression,
  operands: readonly Operand[],
  out: readonly Target[],
  casting: Casting,
): Bound {
  const { inputs, variables } = typeInputs(operands, expression.declared, casting);
  const outputs = typeOutputs(expression.outputs, variables, out, casting);
  const compiled = compile(expression, inputs, outputs);
  const shape = shapeOf(operands, out);
  assertAxes(expression, compiled.program, shape);
  return { compiled, shape, types: inputs.map(({ type }) => type as Register) };
}

const NO_VALUES: Value[] = [];

/** Returns the numbers of the kernel. Throws ERR_TYPE, ERR_OVERFLOW. */
export function scalarsOf({ compiled, types }: Bound, operands: readonly Operand[]): Value[] {
  const { program, uniform, checks } = compiled;
  if (uniform.length === 0 && checks.length === 0) return NO_VALUES;
  const given = operands.map(({ array, scalar, name }, index) =>
    array === null ? scalarValue(scalar, types[index] as Register, name) : undefined,
  );
  assertFits(compiled, given);
  return evaluateUniform(program, uniform, given);
}

/** Returns what a text means for types, which is kept. */
export function compile(
  { syntax, known }: Expression,
  inputs: readonly TypedInput[],
  outputs: readonly TypedOutput[],
): Compiled {
  const key = JSON.stringify([inputs, outputs]);
  const found = known.get(key);
  if (found !== undefined) return found;
  const meaning = meaningOf(syntax, inputs, outputs);
  const hoisted = hoist(meaning.program);
  const loads = hoisted.kernel.instructions.filter(({ operation }) => operation === 'load');
  const sources = new Set(loads.map(({ source }) => source as number));
  const loaded = [...sources].sort((a, b) => a - b);
  const compiled = { ...meaning, ...hoisted, kernels: new Map(), loaded };
  keep(known, key, compiled, MOST_KNOWN);
  return compiled;
}

function assertAxes({ syntax }: Expression, { axes }: Program, shape: readonly number[]): void {
  if (axes <= shape.length) return;
  const name = `i${axes - 1}`;
  const node = syntax.nodes.find((one) => one.kind === 'name' && one.name === name);
  const expected = `an index of the ${shape.length} axes of the result`;
  throw faultAt(syntax.text, node ?? { start: 0, end: 1 }, expected, `'${name}'`);
}

/** Throws ERR_OVERFLOW for a number that the type of the arrays beside it cannot hold. */
export function assertFits(
  { program, checks }: Meaning,
  given: readonly (Value | undefined)[],
): void {
  if (checks.length === 0) return;
  const values = evaluateUniform(
    program,
    checks.map(({ register }) => register),
    given,
  );
  for (const [index, { type }] of checks.entries()) {
    try {
      scalarValue(values[index] as Value, type, '');
    } catch {
      throw fault(
        'ERR_OVERFLOW',
        'values',
        `numbers that ${type} can hold, as the arrays beside them`,
        String(values[index]),
        'convert the arrays, or pass a float',
      );
    }
  }
}
