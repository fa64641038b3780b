import { type ArrayDescriptor, type DTypeName, dtype } from '@array-interface/core';
import type { Work } from '../launch/call.js';
import type { Layouts } from '../launch/layout.js';
import { countOf } from '../launch/loop.js';
import type { Value } from '../program/instruction.js';
import { inTwo } from './compile.js';
import type { CompiledReduction, Programs } from './compiled.js';
import type { Definition } from './definition.js';
import {
  type LaidOutLoop,
  type Launch,
  type LaunchLoops,
  type PreparedReduction,
  prepareReduction,
} from './kernel.js';
import { type Cut, type Outputs, type Tree, treeOfPieces } from './tree.js';

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

/** A launch of a reduction or scan, and those behind it, which combine the accumulators of its pieces. */
export interface Launches {
  readonly first: PreparedReduction;
  /** The accumulators of pieces. */
  readonly parts: readonly { readonly shape: readonly number[]; readonly type: DTypeName }[];
  readonly next: Launches | null;
}

const plans = new WeakMap<Definition, unknown[]>();

/** Returns what calls with operands of some layouts need, the last one used first. */
export function plansOf<Bound>(definition: Definition): ReductionPlan<Bound>[] {
  const known = plans.get(definition) ?? [];
  plans.set(definition, known);
  return known as ReductionPlan<Bound>[];
}

/** What the launches of a reduction have in common. */
interface Whole {
  readonly name: string;
  readonly kernels: CompiledReduction['kernels'];
  readonly types: CompiledReduction['scalars'];
  /** How many of the arrays of its loops are outputs. */
  readonly outputs: number;
  /** Says how a tree is cut. */
  cut(tree: Tree, loops: LaunchLoops): Cut;
}

/** Returns the launches of a reduction. `level` is how many there are before. */
export function prepareLaunches(
  whole: Whole,
  launch: Pick<Launch, 'programs' | 'loops' | 'position' | 'method'>,
  tree: Tree,
  level = 0,
): Launches {
  const { name, kernels, types, cut } = whole;
  const { loops, programs } = launch;
  const made = cut(tree, loops);
  if (!made.pieces.isSplit) {
    const first = prepareReduction(name, { ...launch, ...made, types }, kernels);
    return { first, parts: [], next: null };
  }
  const [own, others] = inTwo(programs, level);
  const { parts, ofPieces, ofParts } = cutLoops(whole, loops, own, made);
  const { method: _, ...pieces } = launch;
  const first = { ...pieces, ...made, programs: own, loops: ofPieces, types };
  return {
    first: prepareReduction(name, first, kernels),
    parts,
    next: prepareLaunches(
      whole,
      { programs: others, loops: ofParts, position: -1 },
      treeOfPieces(made.tree, made.pieces),
      level + 1,
    ),
  };
}

/** The accumulators of pieces, the loops of the launch that makes them, and of what combines them. */
function cutLoops(
  { outputs }: Whole,
  { outer, inner, axes }: LaunchLoops,
  { finish }: Programs,
  { tree, pieces }: Cut,
) {
  const { shape } = outer;
  const length = pieces.count * tree.lanes;
  const isAcross = pieces.fast === 'outputs';
  const parts = finish.outputs.map(({ type }) => ({
    type,
    shape: isAcross ? [length, ...shape] : [...shape, length],
  }));
  const along = parts.map(({ shape: all, type }) => {
    const array = dtype(type);
    const strides = cStrides(all, array.itemsize);
    const step = isAcross ? strides.shift() : strides.pop();
    return { array, shift: 0, strides, step: step as number };
  });
  const own = outer.arrays.slice(0, outputs);
  const still = (
    { shape: { length: axesOf } }: LaidOutLoop,
    { array }: LaidOutLoop['arrays'][0],
  ) => ({
    array,
    shift: 0,
    strides: Array.from({ length: axesOf }, () => 0),
  });
  const ofPieces: LaunchLoops = {
    axes,
    outer: { shape, arrays: [...along, ...outer.arrays.slice(outputs)] },
    inner: {
      ...inner,
      arrays: [...along.map((one) => still(inner, one)), ...inner.arrays.slice(outputs)],
    },
  };
  const all = { shape: [length], arrays: [] };
  const ofParts: LaunchLoops = {
    axes: [],
    outer: { shape, arrays: [...own, ...along] },
    inner: {
      shape: [length],
      arrays: [
        ...own.map((one) => still(all, one)),
        ...along.map(({ array, step }) => ({ array, shift: 0, strides: [step] })),
      ],
    },
  };
  return { parts, ofPieces, ofParts };
}

/** Launches a reduction or scan of these arrays and numbers. */
export function launchAll(
  work: Pick<Work<never>, 'launch' | 'temporary'>,
  { first, parts, next }: Launches,
  outputs: readonly ArrayDescriptor[],
  inputs: readonly ArrayDescriptor[],
  scalars: readonly Value[],
): void {
  if (next === null) {
    work.launch({ prepared: first, arrays: [...outputs, ...inputs], scalars });
    return;
  }
  const temporaries = parts.map(({ shape, type }) => work.temporary(shape, type));
  work.launch({ prepared: first, arrays: [...temporaries, ...inputs], scalars });
  const again = next.first.isScan ? inputs : [];
  launchAll(work, next, outputs, [...again, ...temporaries], scalars);
}

/** Returns how the outputs lie. The first of the inputs, behind `written` arrays, decides. */
export function outputsOf({ outer, inner }: LaunchLoops, written: number): Outputs {
  const step = ({ arrays }: LaidOutLoop) => Math.abs(arrays[written]?.strides.at(-1) ?? 0);
  const { shape } = outer;
  return {
    count: countOf(shape),
    columns: shape.at(-1) ?? 1,
    areNeighbours: step(outer) < (step(inner) || Number.POSITIVE_INFINITY),
  };
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
