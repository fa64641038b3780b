import type { ArrayDescriptor, DTypeName } from '@array-interface/core';
import type { Kernel } from '@array-interface/core/kernel';
import { FIRST, lengthName, TOTAL } from '../code/form.js';
import {
  type Arguments,
  givenTo,
  type Kernels,
  MOST_SHORT,
  newKernel,
  newPlace,
  type Prepared,
} from '../launch/kernel.js';
import { countOf, type Loop, type LoopArray } from '../launch/loop.js';
import type { Register } from '../program/instruction.js';
import type { ReduceLoops } from './axes.js';
import { reductionBytes } from './bytes.js';
import type { Programs } from './compiled.js';
import type { Method } from './definition.js';
import {
  type KnownStride,
  type ReduceArray,
  type ReduceForm,
  reduceIndexType,
  reduceLengthAxes,
  reduceNumbers,
  TREE,
} from './form.js';
import { reducePtx } from './ptx-target.js';
import { reduceSpirv } from './spirv-target.js';
import type { Pieces, Tree } from './tree.js';

/** An array of a loop, of which only the size of an element is known. */
interface LaidOut extends Pick<LoopArray, 'shift' | 'strides'> {
  readonly array: Pick<ArrayDescriptor, 'itemsize'>;
}

/** Axes, and how each array lies along them. */
export interface LaidOutLoop extends Pick<Loop, 'shape'> {
  readonly arrays: readonly LaidOut[];
}

/** How arrays lie along the axes of a launch. */
export interface LaunchLoops extends Pick<ReduceLoops, 'axes'> {
  readonly outer: LaidOutLoop;
  readonly inner: LaidOutLoop;
}

/** What one launch of a reduction computes. */
export interface Launch {
  readonly programs: Programs;
  readonly loops: LaunchLoops;
  readonly tree: Tree;
  readonly pieces: Pieces;
  /** The index of `position` among the inputs of `map`, or -1. */
  readonly position: number;
  /** Of a whole reduction. */
  readonly method?: Method | undefined;
  /** Of a scan: the types of the totals of the leaves, or none if an item has all leaves. */
  readonly scan?: readonly DTypeName[];
  /** The types of the numbers of all programs. */
  readonly types: readonly Register[];
}

/** A launch of a reduction for arrays of some layouts. */
export interface PreparedReduction extends Prepared {
  readonly isScan: boolean;
}

/** Returns a kernel with its code for each backend. Keeps kernels in `known`. */
export function prepareReduction(name: string, launch: Launch, known: Kernels): PreparedReduction {
  const { loops, tree, pieces } = launch;
  const { shape } = loops.outer;
  const outputs = countOf(shape);
  const columns = columnsOf(launch);
  const items = pieces.isSplit ? outputs * pieces.count * tree.lanes : outputs;
  const form = formOf(launch, items);
  const total = items / columns;
  const arrays = form.arrays.map(
    (one) => `${one.name} ${one.strides.map((stride) => stride ?? '*').join('')}`,
  );
  const key = `${form.isScan} ${form.isSplit} ${form.fast} ${form.hasOneLane} ${form.hasOneLeaf} ${form.method} ${form.isLong} ${form.position} ${form.outer} ${form.inner} ${form.axes} ${arrays}`;
  let kernel = known.get(key);
  if (kernel === undefined) {
    kernel = kernelOf(name, form);
    known.set(key, kernel);
  }
  const places = form.arrays.map((_, index) => placeOf(form, loops, index));
  const constants = constantsOf(form, launch, total);
  const launches = new WeakMap();
  const { isScan } = form;
  return { isScan, kernel, total, columns, ...givenTo(form), places, constants, launches };
}

function columnsOf({ loops, tree, pieces: { fast } }: Launch): number {
  if (fast === null) return 1;
  return fast === 'lanes' ? tree.lanes : (loops.outer.shape.at(-1) as number);
}

function formOf(
  { programs, loops, tree, pieces, position, types, scan, method }: Launch,
  items: number,
): ReduceForm {
  const { outer, inner, axes } = loops;
  const { isSplit } = pieces;
  const isScan = scan !== undefined;
  const totals = (scan ?? []).map(
    (type, index): ReduceArray => ({
      name: `$total${index}`,
      type,
      index: programs.map.inputs.length + index,
      writes: false,
      mode: 'dense',
      strides: [],
    }),
  );
  const arrays = arraysOf(programs, position).map((one, place): ReduceArray => {
    if (one.writes && isSplit && !isScan) return { ...one, mode: 'dense', strides: [] };
    const axesOf = one.writes && !isScan ? [outer] : [outer, inner];
    const strides = axesOf.flatMap((loop) => knownStrides(loop.arrays[place] as LaidOut));
    return { ...one, mode: 'strided', strides };
  });
  const elements = Math.max(items, tree.lanes * tree.rows + tree.rest);
  return {
    ...programs,
    isSplit,
    isScan,
    fast: pieces.fast,
    hasOneLane: isSplit || tree.lanes === 1,
    hasOneLeaf: pieces.size === 1,
    method,
    isLong: elements > MOST_SHORT,
    outer: outer.shape.length,
    inner: inner.shape.length,
    axes,
    position,
    arrays: [...arrays, ...totals],
    scalars: types,
  };
}

/** The arrays that programs write, then those that they read. */
function arraysOf({ map, finish }: Programs, position: number) {
  const used = new Set(
    map.instructions.flatMap(({ operation, source }) => (operation === 'load' ? [source] : [])),
  );
  const written = finish.outputs.map(({ name, type }, index) => ({
    name,
    type,
    index,
    writes: true,
  }));
  const read = map.inputs.flatMap(({ name, type, isArray }, index) =>
    isArray && used.has(index) && index !== position ? [{ name, type, index, writes: false }] : [],
  );
  return [...written, ...read];
}

/** Returns the form of a reduction of rows, whose elements follow one another. */
export function rowForm(
  programs: Programs,
  scalars: readonly Register[],
  { position, method }: Pick<ReduceForm, 'position' | 'method'>,
): ReduceForm {
  const { axes } = programs.map;
  const outer = Math.max(1, axes - 1);
  const others = Array.from({ length: outer }, () => null);
  return {
    ...programs,
    isSplit: false,
    isScan: false,
    fast: null,
    hasOneLane: false,
    hasOneLeaf: false,
    method,
    isLong: false,
    outer,
    inner: 1,
    axes: Array.from({ length: axes }, (_, axis) => outer + 1 - axes + axis),
    position,
    arrays: arraysOf(programs, position).map((one) => ({
      ...one,
      mode: 'strided',
      strides: one.writes ? [...others.slice(1), 1] : [...others, 1],
    })),
    scalars,
  };
}

function knownStrides({ array: { itemsize }, strides }: LaidOut): KnownStride[] {
  return strides.map((stride) => (stride === 0 ? 0 : stride === itemsize ? 1 : null));
}

function constantsOf(form: ReduceForm, { loops, tree, pieces }: Launch, total: number): Arguments {
  const lengths = [...loops.outer.shape, ...loops.inner.shape];
  const values: Arguments = {
    [FIRST]: 0,
    [TOTAL]: total,
    [TREE.lanes]: tree.lanes,
    [TREE.rows]: tree.rows,
    [TREE.rest]: tree.rest,
    [TREE.leafRows]: tree.leafRows,
    [TREE.leaves]: tree.leaves,
    [TREE.size]: pieces.size,
    [TREE.pieces]: pieces.count,
    [TREE.shift]: 5 - Math.log2(tree.lanes),
  };
  if (form.fast === 'outputs') {
    values[TREE.around] = countOf(loops.outer.shape.slice(0, -1));
  }
  for (const axis of reduceLengthAxes(form)) values[lengthName(axis)] = lengths[axis] as number;
  return values;
}

function placeOf(form: ReduceForm, { outer, inner }: LaunchLoops, index: number) {
  const { mode, writes, type } = form.arrays[index] as ReduceArray;
  if (mode === 'dense') return null;
  const { shift, strides } = outer.arrays[index] as LaidOut;
  const { shift: further, strides: across } = inner.arrays[index] as LaidOut;
  if (writes && !form.isScan) return newPlace(type, shift + further, outer.shape, strides);
  const shape = [...outer.shape, ...inner.shape];
  return newPlace(type, shift + further, shape, [...strides, ...across]);
}

function kernelOf(name: string, form: ReduceForm): Kernel {
  const axesOf = ({ strides }: ReduceArray) => strides.length;
  return newKernel(name, form, reduceNumbers(form), reduceIndexType(form), axesOf, {
    ptx: () => reducePtx(form),
    spirv: () => reduceSpirv(form),
    program: () => reductionBytes(form),
  });
}
