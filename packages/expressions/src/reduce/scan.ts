import type { ArrayDescriptor, ArrayLike, Backend, BackendArray, DTypeName, OwnedArray } from '@array-interface/core'; // biome-ignore format: one line
import { type Checks, checkFlag, checkThat, replace } from '@array-interface/core/backend'; // biome-ignore format: one line
import { type ComputeOptions, OPTIONS, requestWork, type Work } from '../launch/call.js';
import { shapeOf } from '../launch/loop.js';
import { fault, type Operand, readOperands, readOutputs } from '../launch/operands.js';
import { assertApart, assertNoneRepeats } from '../launch/overlap.js';
import { type ReduceLoops, readAxes, reduceLoops } from './axes.js';
import { assertIndices, assertShapes, type Choice, fillEmpty, loadedOperands, positionOf } from './call.js'; // biome-ignore format: one line
import { compileReduction, inTwo, scalarsOf } from './compile.js';
import type { CompiledReduction } from './compiled.js';
import type { Definition } from './definition.js';
import { callOf, prepareReduction } from './kernel.js';
import { scanPiecesOf, scanTreeOf } from './tree.js';

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
  const { axis: given, exclusive = false, includeInitial = false, casting = 'same_kind' } = options;
  return requestWork(backend, options, (work) => {
    const describe = (value: ArrayLike, name: string) => work.describe(value, name);
    const operands = readOperands(choice.inputs, values, describe);
    const named = readOutputs(choice.outputs, out, describe);
    const definition = choice.of(operands);
    const compiled = compileReduction(definition, operands, named, casting);
    const arrays = operands.flatMap(({ name, array }) => (array === null ? [] : [[name, array] as const])); // biome-ignore format: one line
    const shape = shapeOf(arrays, []);
    const axis = readAxis(given, shape.length);
    const length = shape[axis] as number;
    const begins = exclusive || includeInitial;
    if (begins && definition.identity === null) {
      throw fault('ERR_ARGUMENT', definition.name, 'an identity to begin with', 'none', "give 'identity', or leave out 'exclusive' and 'includeInitial'"); // biome-ignore format: one line
    }
    assertIndices(definition, compiled, shape.length);
    const result = includeInitial ? shape.with(axis, length + 1) : shape;
    assertShapes(named, result);
    // What is written must not be read later: with a shift, also not by the same place.
    const written = named.map(({ name, array }) => ({ name, array: begins ? part(array, axis, 1) : array })); // biome-ignore format: one line
    assertNoneRepeats(written);
    assertApart(operands, written);
    const scalars = scalarsOf(compiled, operands, length);
    const { arrays: outputs, made, copies } = work.outputs(compiled.programs.finish.outputs, named, result); // biome-ignore format: one line
    if (result.includes(0)) return made;
    if (begins) {
      const initial = outputs.map((array) => part(array, axis, 0, 1));
      fillEmpty(work, definition, compiled, operands, initial);
    }
    const count = exclusive && !includeInitial ? length - 1 : length;
    if (count > 0) {
      const shifted = begins ? outputs.map((array) => part(array, axis, 1)) : outputs;
      const all = [
        ...shifted,
        ...loadedOperands(compiled, operands).map((index) =>
          work.input((operands[index] as Operand).array as ArrayDescriptor),
        ),
      ];
      const loops = reduceLoops(shape.with(axis, count), [axis], [], all, compiled.programs.map.axes > 0); // biome-ignore format: one line
      launch(work, definition, compiled, loops, count, scalars, outputs.length);
    }
    work.finish(copies);
    return made;
  });
}

function readAxis(axis: number | undefined, ndim: number): number {
  if (axis === undefined && ndim !== 1) throw fault('ERR_ARGUMENT', 'axis', 'an axis, unless the operands have one', `none for ${ndim} axes`); // biome-ignore format: one line
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

function launch<A extends BackendArray>(
  work: Work<A>,
  definition: Definition,
  compiled: CompiledReduction,
  loops: ReduceLoops,
  count: number,
  scalars: ReturnType<typeof scalarsOf>,
  outputs: number,
): void {
  const { programs, kernels } = compiled;
  const { outer, inner } = loops;
  const tree = scanTreeOf(count);
  const pieces = scanPiecesOf(tree, outer.shape.reduce((product, length) => product * length, 1)); // biome-ignore format: one line
  const common = { tree, pieces, position: positionOf(definition, compiled), types: compiled.scalars }; // biome-ignore format: one line
  const whole = (scan: readonly DTypeName[]) => prepareReduction(definition.name, { ...common, programs, loops, scan }, kernels); // biome-ignore format: one line
  const written = outer.arrays.map(({ array }) => array);
  if (!pieces.isSplit) {
    work.launch(callOf(whole([]), written, scalars));
    return;
  }
  const [first] = inTwo(programs);
  const shape = [...outer.shape, tree.leaves];
  const types = first.finish.outputs.map(({ type }) => type);
  const totals = types.map((type) => work.temporary(shape, type));
  const blank = totals.map((array) => ({ array, shift: 0, strides: [0] }));
  const ofTotals = {
    ...loops,
    outer: { ...outer, arrays: [...blank, ...outer.arrays.slice(outputs)] },
    inner: { ...inner, arrays: [...blank, ...inner.arrays.slice(outputs)] },
  };
  const leaves = prepareReduction(definition.name, { ...common, programs: first, loops: ofTotals }, kernels); // biome-ignore format: one line
  work.launch(callOf(leaves, [...totals, ...written.slice(outputs)], scalars));
  work.launch(callOf(whole(types), [...written, ...totals], scalars));
}
