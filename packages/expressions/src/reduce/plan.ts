import { type ArrayDescriptor, type DTypeName, dtype } from '@array-interface/core';
import type { Work } from '../launch/call.js';
import type { Layouts } from '../launch/layout.js';
import type { Value } from '../program/instruction.js';
import type { ReduceLoops } from './axes.js';
import { inTwo } from './compile.js';
import type { CompiledReduction } from './compiled.js';
import type { Definition } from './definition.js';
import { callOf, type LaidOutLoop, type PreparedReduction, prepareReduction } from './kernel.js';
import { type Pieces, type Tree, treeOfPieces } from './tree.js';

/** A reduction whose types and shapes were checked. */
export interface BoundReduction {
  readonly compiled: CompiledReduction;
  /** The shape of the operands, the axes that are reduced, and the shape of the outputs. */
  readonly shape: readonly number[];
  readonly axes: readonly number[];
  readonly result: readonly number[];
  /** The number of elements reduced. */
  readonly count: number;
  /** The indices of the operands that are loaded, in the order of the kernel's arrays. */
  readonly loaded: readonly number[];
}

/** All that is the same for calls whose operands have the same types and layouts. */
export interface ReductionPlan<Bound> {
  readonly layouts: Layouts;
  readonly bound: Bound;
  readonly launches: Launches;
}

/** The launches of a reduction or scan: one, or two with the accumulators of pieces in between. */
export interface Launches {
  readonly parts: readonly { readonly shape: readonly number[]; readonly type: DTypeName }[];
  readonly first: PreparedReduction;
  readonly second: PreparedReduction | null;
}

const plans = new WeakMap<Definition, unknown[]>();

/** Returns what calls with operands of some layouts need, the last one used first. */
export function plansOf<Bound>(definition: Definition): ReductionPlan<Bound>[] {
  const known = plans.get(definition) ?? [];
  plans.set(definition, known);
  return known as ReductionPlan<Bound>[];
}

/** Returns the launches of a reduction. `outputs` is how many of the arrays of its loops are outputs. */
export function prepareLaunches(
  { name, method }: Definition,
  { programs, kernels, scalars: types }: CompiledReduction,
  position: number,
  loops: ReduceLoops,
  outputs: number,
  tree: Tree,
  pieces: Pieces,
): Launches {
  const whole = { programs, loops, tree, pieces, position, types };
  if (!pieces.isSplit) {
    return {
      parts: [],
      first: prepareReduction(name, { ...whole, method }, kernels),
      second: null,
    };
  }
  const { shape } = loops.outer;
  const [first, second] = inTwo(programs);
  const length = pieces.count * tree.lanes;
  const parts = first.finish.outputs.map(({ type }) => ({ shape: [...shape, length], type }));
  const own = loops.outer.arrays.slice(0, outputs);
  const read = loops.outer.arrays.slice(outputs);
  const along = parts.map(({ shape: all, type }) => {
    const array = dtype(type);
    return { array, shift: 0, strides: cStrides(all, array.itemsize).slice(0, -1) };
  });
  const outerOf = (arrays: LaidOutLoop['arrays']) => ({ shape, arrays });
  const blank = { shift: 0, strides: loops.inner.shape.map(() => 0) };
  const ofPieces = {
    ...whole,
    programs: first,
    loops: {
      ...loops,
      outer: outerOf([...along, ...read]),
      inner: {
        ...loops.inner,
        arrays: [
          ...along.map(({ array }) => ({ array, ...blank })),
          ...loops.inner.arrays.slice(outputs),
        ],
      },
    },
  };
  const ofParts = {
    programs: second,
    loops: {
      outer: outerOf([...own, ...along]),
      inner: {
        shape: [length],
        arrays: [
          ...own.map(({ array }) => ({ array, shift: 0, strides: [0] })),
          ...along.map(({ array }) => ({ array, shift: 0, strides: [array.itemsize] })),
        ],
      },
      axes: [],
    },
    tree: treeOfPieces(tree, pieces),
    pieces: { isSplit: false, size: pieces.count, count: 1 },
    position: -1,
    types,
  };
  return {
    parts,
    first: prepareReduction(name, ofPieces, kernels),
    second: prepareReduction(name, ofParts, kernels),
  };
}

/** Launches a reduction or scan of these arrays and numbers. */
export function launchAll(
  work: Pick<Work<never>, 'launch' | 'temporary'>,
  { parts, first, second }: Launches,
  outputs: readonly ArrayDescriptor[],
  inputs: readonly ArrayDescriptor[],
  scalars: readonly Value[],
): void {
  if (second === null) {
    work.launch(callOf(first, [...outputs, ...inputs], scalars));
    return;
  }
  const temporaries = parts.map(({ shape, type }) => work.temporary(shape, type));
  work.launch(callOf(first, [...temporaries, ...inputs], scalars));
  const again = second.form.isScan ? inputs : [];
  work.launch(callOf(second, [...outputs, ...again, ...temporaries], scalars));
}

/** The strides in bytes of an array whose elements are in a row. */
function cStrides(shape: readonly number[], itemsize: number): number[] {
  const strides: number[] = [];
  let step = itemsize;
  for (const length of shape.toReversed()) {
    strides.unshift(step);
    step *= length;
  }
  return strides;
}
