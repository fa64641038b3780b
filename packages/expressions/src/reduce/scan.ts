import {
  type ArrayDescriptor,
  type ArrayLike,
  type Backend,
  type BackendArray,
  type DTypeName,
  dtype,
  type OwnedArray,
} from '@array-interface/core';
import { type Checks, checkFlag, checkThat, replace } from '@array-interface/core/backend';
import { type ComputeOptions, OPTIONS, requestWork } from '../launch/call.js';
import { findPlan, keepPlan } from '../launch/expression.js';
import { layoutsOf } from '../launch/layout.js';
import { assertShapes, countOf, shapeOf } from '../launch/loop.js';
import { fault, type Operand, readOperands, readOutputs, type Target } from '../launch/operands.js';
import { assertApart, assertNoneRepeats } from '../launch/overlap.js';
import { readAxes, reduceLoops } from './axes.js';
import { assertIndices, type Choice, fillEmpty, loadedOperands, positionOf } from './call.js';
import { compileReduction, inTwo, scalarsOf } from './compile.js';
import type { Definition } from './definition.js';
import { prepareReduction } from './kernel.js';
import { type BoundReduction, type Launches, launchAll, plansOf } from './plan.js';
import { scanPiecesOf, scanTreeOf, wholeOf } from './tree.js';

/** How a scan is computed. */
export interface ScanOptions extends ComputeOptions {
  /** The axis to scan along; a negative one counts from the end. Default: the only one. */
  readonly axis?: number;
  /** Whether an output is of the elements before its own. Default: false. */
  readonly exclusive?: boolean;
  /** Whether outputs begin with one of no elements, and so are longer by one. Default: false. */
  readonly includeInitial?: boolean;
}

export const SCAN_OPTIONS: Checks<ScanOptions> = {
  ...OPTIONS,
  axis: checkThat((value) => typeof value === 'number', 'an axis'),
  exclusive: checkFlag,
  includeInitial: checkFlag,
};

/** Requests the work of a scan, as `callReduction` does that of a reduction. */
export function callScan<A extends BackendArray>(
  choice: Choice,
  backend: Backend<A>,
  values: Readonly<Record<string, unknown>>,
  out: Readonly<Record<string, unknown>>,
  options: ScanOptions,
): Promise<Record<string, OwnedArray<A>>> {
  const { axis, exclusive = false, includeInitial = false, casting = 'same_kind' } = options;
  return requestWork(backend, options, (work) => {
    const describe = (value: ArrayLike, name: string) => work.describe(value, name);
    const operands = readOperands(choice.inputs, values, describe);
    const named = readOutputs(choice.outputs, out, describe);
    const definition = choice.of(operands);
    const plans = plansOf<BoundScan>(definition);
    const key = `${casting} ${axis} ${exclusive} ${includeInitial} ${work.isOnHost}`;
    const known = findPlan(plans, operands, named, key);
    const bound = known?.bound ?? bind(definition, operands, named, options);
    const { compiled, axis: own, begins, result, length, count } = bound;
    // What is written must not be read later: with a shift, also not by the same place.
    const written = named.map(({ name, array }) => ({
      name,
      array: begins ? part(array, own, 1) : array,
    }));
    if (known === null) assertNoneRepeats(written);
    assertApart(operands, written);
    const scalars = scalarsOf(compiled, operands, length);
    const {
      arrays: outputs,
      made,
      copies,
    } = work.outputs(compiled.programs.finish.outputs, named, result);
    if (result.includes(0)) return made;
    if (begins) {
      const initial = outputs.map((array) => part(array, own, 0, 1));
      fillEmpty(work, definition, compiled, operands, initial);
    }
    if (count > 0) {
      const shifted = begins ? outputs.map((array) => part(array, own, 1)) : outputs;
      const inputs = work.inputs(operands, bound.loaded);
      const launches =
        known?.launches ?? newLaunches(definition, bound, shifted, inputs, work.isOnHost);
      if (known === null)
        keepPlan(plans, { layouts: layoutsOf(operands, named, key), bound, launches });
      launchAll(work, launches, shifted, inputs, scalars);
    }
    work.finish(copies);
    return made;
  });
}

/** A scan whose types and shapes were checked. */
interface BoundScan extends Omit<BoundReduction, 'axes'> {
  readonly axis: number;
  /** Whether the identity stands before what is scanned. */
  readonly begins: boolean;
  /** The number of elements along the axis; `count` of them are scanned. */
  readonly length: number;
}

/** Finds the types of a call, and checks its shapes. Throws as a call rejects. */
function bind(
  definition: Definition,
  operands: readonly Operand[],
  named: readonly Target[],
  { axis: given, exclusive = false, includeInitial = false, casting = 'same_kind' }: ScanOptions,
): BoundScan {
  const compiled = compileReduction(definition, operands, named, casting);
  const shape = shapeOf(operands);
  const axis = readAxis(given, shape.length);
  const length = shape[axis] as number;
  const begins = exclusive || includeInitial;
  if (begins && definition.identity === null) {
    throw fault(
      'ERR_ARGUMENT',
      definition.name,
      'an identity to begin with',
      'none',
      "give 'identity', or leave out 'exclusive' and 'includeInitial'",
    );
  }
  assertIndices(definition, compiled, shape.length);
  const result = includeInitial ? shape.with(axis, length + 1) : shape;
  assertShapes(named, result);
  const count = exclusive && !includeInitial ? length - 1 : length;
  const loaded = loadedOperands(compiled, operands);
  return { compiled, shape, axis, begins, result, length, count, loaded };
}

function readAxis(axis: number | undefined, ndim: number): number {
  if (axis === undefined && ndim !== 1)
    throw fault(
      'ERR_ARGUMENT',
      'axis',
      'an axis, unless the operands have one',
      `none for ${ndim} axes`,
    );
  return readAxes(axis ?? 0, ndim)[0] as number;
}

/** The elements of an array from an index on along an axis. */
function part(array: ArrayDescriptor, axis: number, from: number, count?: number): ArrayDescriptor {
  const shift = BigInt(from * (array.byteStrides[axis] as number));
  const length = count ?? Math.max(0, (array.shape[axis] as number) - from);
  return replace(array, {
    pointer: array.pointer + (length === 0 ? 0n : shift),
    shape: array.shape.with(axis, length),
    base: null,
  });
}

function newLaunches(
  definition: Definition,
  { compiled, shape, axis, count }: BoundScan,
  outputs: readonly ArrayDescriptor[],
  inputs: readonly ArrayDescriptor[],
  isOnHost: boolean,
): Launches {
  const { name } = definition;
  const { programs, kernels, scalars: types } = compiled;
  const keepsAxes = programs.map.axes > 0;
  const loops = reduceLoops(
    shape.with(axis, count),
    [axis],
    [],
    [...outputs, ...inputs],
    keepsAxes,
  );
  const { outer, inner } = loops;
  const tree = scanTreeOf(count);
  const outputOuter = countOf(outer.shape);
  const pieces = isOnHost ? wholeOf(tree) : scanPiecesOf(tree, outputOuter);
  const common = { tree, pieces, position: positionOf(definition, compiled), types };
  const whole = (scan: readonly DTypeName[]) =>
    prepareReduction(name, { ...common, programs, loops, scan }, kernels);
  if (!pieces.isSplit) return { parts: [], first: whole([]), next: null };
  const [first] = inTwo(programs);
  const parts = first.finish.outputs.map(({ type }) => ({
    shape: [...outer.shape, tree.leaves],
    type,
  }));
  const blank = parts.map(({ type }) => ({ array: dtype(type), shift: 0, strides: [0] }));
  const ofTotals = {
    ...loops,
    outer: { ...outer, arrays: [...blank, ...outer.arrays.slice(outputs.length)] },
    inner: { ...inner, arrays: [...blank, ...inner.arrays.slice(outputs.length)] },
  };
  return {
    parts,
    first: prepareReduction(name, { ...common, programs: first, loops: ofTotals }, kernels),
    next: { first: whole(parts.map(({ type }) => type)), parts: [], next: null },
  };
}
