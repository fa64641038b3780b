import type {
  ArrayDescriptor,
  ArrayLike,
  Backend,
  BackendArray,
  DTypeName,
  OwnedArray,
} from '@array-interface/core';
import { type Checks, checkFlag, checkThat } from '@array-interface/core/backend';
import type { Casting } from '@array-interface/core/numbers';
import {
  type ComputeOptions,
  OPTIONS,
  requestExpression,
  requestWork,
  type Work,
} from '../launch/call.js';
import { findPlan, keepPlan, newExpression } from '../launch/expression.js';
import { layoutsOf } from '../launch/layout.js';
import { assertShapes, countOf, shapeOf } from '../launch/loop.js';
import {
  type Operand,
  readOperands,
  readOutputs,
  type Scalar,
  type Target,
} from '../launch/operands.js';
import { assertApart, assertNoneRepeats } from '../launch/overlap.js';
import { behind, letOf } from '../syntax/build.js';
import { type Axes, isReduced, readAxes, reducedShape, reduceLoops } from './axes.js';
import { compileReduction, scalarsOf } from './compile.js';
import type { CompiledReduction } from './compiled.js';
import type { Definition } from './definition.js';
import { combinesInAnyOrder } from './exact.js';
import type { LaunchLoops } from './kernel.js';
import {
  type BoundReduction,
  type Launches,
  launchAll,
  outputsOf,
  plansOf,
  prepareLaunches,
} from './plan.js';
import { CPU, cutOf, type Device, GPU, type Tree, treeOf, wholeOf } from './tree.js';

/** How a reduction is computed. */
export interface ReduceOptions extends ComputeOptions {
  /** The axes that are reduced; negative ones count from the end. Default: all. */
  readonly axis?: Axes;
  /** Whether the outputs have an axis of length 1 for each that was reduced. Default: false. */
  readonly keepDims?: boolean;
}

const isAxis = (value: unknown) => typeof value === 'number' || Array.isArray(value);
export const REDUCE_OPTIONS: Checks<ReduceOptions> = {
  ...OPTIONS,
  axis: checkThat(isAxis, 'an axis, or a list of axes'),
  keepDims: checkFlag,
};

/** What a call may reduce: the names of operands and outputs, and the reduction of some operands. */
export interface Choice {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  of(operands: readonly Operand[]): Definition;
}

/**
 * Requests the work of a call before it returns, so that whatever is requested later is ordered
 * after it. Settles with the new arrays, by the names of their outputs, once it is enqueued. The
 * options were read.
 */
export function callReduction<A extends BackendArray>(
  choice: Choice,
  backend: Backend<A>,
  values: Readonly<Record<string, unknown>>,
  out: Readonly<Record<string, unknown>>,
  options: ReduceOptions,
): Promise<Record<string, OwnedArray<A>>> {
  const { axis, keepDims = false, casting = 'same_kind' } = options;
  return requestWork(backend, options, (work) => {
    const describe = (value: ArrayLike, name: string) => work.describe(value, name);
    const operands = readOperands(choice.inputs, values, describe);
    const given = readOutputs(choice.outputs, out, describe);
    const definition = choice.of(operands);
    const call = { definition, operands, given, casting, axis, keepDims };
    return requestReduction(work, call).made;
  });
}

/** A reduction of some operands. */
export interface ReductionCall {
  readonly definition: Definition;
  readonly operands: readonly Operand[];
  /** The outputs that exist. */
  readonly given: readonly Target[];
  readonly casting: Casting;
  readonly axis: Axes | undefined;
  readonly keepDims: boolean;
}

/** What a reduction wrote: its arrays, and those of them that are new, by their names. */
type Reduced<A extends BackendArray> = Pick<ReturnType<Work<A>['outputs']>, 'arrays' | 'made'>;

/** Requests a reduction as a part of some work. Its new arrays may be `temporary`. */
export function requestReduction<A extends BackendArray>(
  work: Work<A>,
  { definition, operands, given, casting, axis, keepDims }: ReductionCall,
  isTemporary = false,
): Reduced<A> {
  const axes = typeof axis === 'object' ? JSON.stringify(axis) : axis;
  const options = `${casting} ${axes} ${keepDims} ${work.isOnHost} ${work.isOnCpu}`;
  const plans = plansOf<BoundReduction>(definition);
  const known = findPlan(plans, operands, given, options);
  const bound = known?.bound ?? bind({ definition, operands, given, casting, axis, keepDims });
  const { compiled, result, count } = bound;
  assertApart(operands, given, (input) => isReduced(input, bound));
  const scalars = scalarsOf(compiled, operands, count);
  const outputs = work.outputs(compiled.programs.finish.outputs, given, result, isTemporary);
  const { arrays } = outputs;
  if (result.includes(0)) return outputs;
  if (count === 0) {
    fillEmpty(work, definition, compiled, operands, arrays);
  } else {
    const inputs = work.inputs(operands, bound.loaded);
    const launches =
      known?.launches ?? newLaunches(definition, bound, arrays, inputs, deviceOf(work));
    if (known === null)
      keepPlan(plans, { layouts: layoutsOf(operands, given, options), bound, launches });
    launchAll(work, launches, arrays, inputs, scalars);
  }
  work.finish(outputs.copies);
  return outputs;
}

/** Finds the types of a call, and checks its shapes. Throws as a call rejects. */
function bind({
  definition,
  operands,
  given,
  casting,
  axis,
  keepDims,
}: ReductionCall): BoundReduction {
  const compiled = compileReduction(definition, operands, given, casting);
  const shape = shapeOf(operands);
  const axes = readAxes(axis, shape.length, definition.faultOf);
  const result = reducedShape(shape, axes, keepDims);
  assertIndices(definition, compiled, shape.length);
  assertShapes(given, result);
  assertNoneRepeats(given);
  const count = countOf(axes.map((own) => shape[own] as number));
  if (count === 0 && definition.identity === null) {
    throw definition.faultOf(
      definition.name,
      'at least one element to reduce',
      `the shape [${shape}]`,
      'it has no identity',
    );
  }
  return { compiled, shape, axes, result, count, loaded: loadedOperands(compiled, operands) };
}

/** Null: the host, which cuts trees by itself. */
function deviceOf({ isOnHost, isOnCpu }: Work<BackendArray>): Device | null {
  if (isOnHost) return null;
  return isOnCpu ? CPU : GPU;
}

function newLaunches(
  definition: Definition,
  { compiled, shape, axes, count }: BoundReduction,
  outputs: readonly ArrayDescriptor[],
  inputs: readonly ArrayDescriptor[],
  device: Device | null,
): Launches {
  const { programs, kernels, scalars: types } = compiled;
  const position = positionOf(definition, compiled);
  const { name, method } = definition;
  const isPlace = method === 'least' || method === 'greatest';
  const isExact = device !== null && (isPlace || combinesInAnyOrder(programs.reduce));
  const sorts = isExact && position < 0;
  const loops = reduceLoops(shape, axes, outputs, inputs, programs.map.axes > 0, sorts);
  const whole = {
    name,
    kernels,
    types,
    outputs: outputs.length,
    cut: (tree: Tree, own: LaunchLoops) =>
      device === null
        ? { tree, pieces: wholeOf(tree) }
        : cutOf(tree, outputsOf(own, outputs.length), device, isExact),
  };
  return prepareLaunches(whole, { programs, loops, position, method }, treeOf(count));
}

/** The indices of the operands that `map` loads, in the order of its inputs. */
export function loadedOperands(
  { map, programs }: CompiledReduction,
  operands: readonly Operand[],
): number[] {
  const used = new Set(
    programs.map.instructions.flatMap(({ operation, source }) =>
      operation === 'load' ? [source] : [],
    ),
  );
  return map.inputs.flatMap(({ name }, index) => {
    const own = operands.findIndex((one) => one.name === name && one.array !== null);
    return used.has(index) && own >= 0 ? [own] : [];
  });
}

/** The input of `map` that is the index of an element among those reduced, or -1. */
export function positionOf({ inputs, position }: Definition, { map }: CompiledReduction): number {
  return inputs.includes(position) ? -1 : map.inputs.findIndex(({ name }) => name === position);
}

/** Writes what `post` makes of the identity: an expression of numbers. */
export function fillEmpty<A extends BackendArray>(
  work: Work<A>,
  definition: Definition,
  compiled: CompiledReduction,
  operands: readonly Operand[],
  outputs: readonly ArrayDescriptor[],
): void {
  const { accumulators, identity, post, count } = definition;
  const inputs = [...new Set([...definition.inputs, count])].filter(
    (name) => post.used.has(name) && !accumulators.includes(name),
  );
  const { outputs: results } = compiled.programs.finish;
  const numbers = inputs.map(
    (name) => [name, operands.find((one) => one.name === name)?.scalar ?? 0n] as const,
  );
  const types = Object.fromEntries(
    compiled.post.inputs.flatMap(({ name, as, isWeak }) => (isWeak ? [] : [[name, as]])),
  );
  const values = accumulators.map((name, index) =>
    letOf(name, identity?.get(name) as Scalar, compiled.accumulators[index] as DTypeName),
  );
  const syntax = [...values, post.syntax].reduce(behind);
  const named = Object.fromEntries(results.map(({ name, type }) => [name, type]));
  const expression = newExpression(definition.name, syntax, inputs, types, named);
  const out = Object.fromEntries(
    results.map(({ name }, index) => [name, outputs[index] as ArrayDescriptor]),
  );
  // What is converted was checked with the types of the call.
  requestExpression(work, expression, Object.fromEntries(numbers), out, 'unsafe');
}

/** Throws ERR_ARGUMENT for an index of an axis that the operands do not have. */
export function assertIndices(
  { faultOf }: Definition,
  { programs }: CompiledReduction,
  ndim: number,
): void {
  const { axes } = programs.map;
  if (axes <= ndim) return;
  throw faultOf('map', `an index of the ${ndim} axes of the operands`, `'i${axes - 1}'`);
}
