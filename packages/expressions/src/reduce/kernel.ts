import { type ArrayDescriptor, type DTypeName, dtype } from '@array-interface/core';
import { replace } from '@array-interface/core/backend';
import { defineKernel, type Kernel, type Parameters } from '@array-interface/core/kernel';
import { ENTRY, FIRST, lengthName, scalarName, TOTAL } from '../code/form.js';
import {
  type Arguments,
  type KernelCall,
  type Kernels,
  MOST_SHORT,
  memoryName,
} from '../launch/kernel.js';
import type { LoopArray } from '../launch/loop.js';
import type { Register, Value } from '../program/instruction.js';
import type { ReduceLoops } from './axes.js';
import { reductionBytes } from './bytes.js';
import type { Programs } from './compiled.js';
import type { Found } from './definition.js';
import { type KnownStride, type ReduceArray, type ReduceForm, reduceIndexType, reduceLengthAxes, TREE } from './form.js'; // biome-ignore format: one line
import { reducePtx } from './ptx-target.js';
import { reduceSpirv } from './spirv-target.js';
import type { Pieces, Tree } from './tree.js';

/** What one launch of a reduction computes. */
export interface Launch {
  readonly programs: Programs;
  readonly loops: ReduceLoops;
  readonly tree: Tree;
  readonly pieces: Pieces;
  /** The index of `position` among the inputs of `map`, or -1. */
  readonly position: number;
  /** Of a whole reduction: the element whose place it finds. */
  readonly finds?: Found | undefined;
  /** Of a scan: the totals of the leaves, or none if an item has all leaves. */
  readonly scan?: readonly ArrayDescriptor[];
  /** The numbers of all programs of the call, with their types. */
  readonly scalars: readonly Value[];
  readonly types: readonly Register[];
}

/** Returns a kernel with its code for each backend, and what it takes. Keeps kernels in `known`. */
export function prepareReduction(name: string, launch: Launch, known: Kernels): KernelCall {
  const { loops, tree, pieces } = launch;
  const { shape } = loops.outer;
  const outputs = shape.reduce((product, length) => product * length, 1);
  const total = pieces.isSplit ? outputs * pieces.count * tree.lanes : outputs;
  const form = formOf(launch, total);
  const arrays = form.arrays.map((one) => `${one.name} ${one.strides.map((stride) => stride ?? '*').join('')}`); // biome-ignore format: one line
  const key = `${form.isScan} ${form.isSplit} ${form.finds} ${form.isLong} ${form.position} ${form.outer} ${form.inner} ${form.axes} ${arrays}`;
  let kernel = known.get(key);
  if (kernel === undefined) {
    kernel = kernelOf(name, form);
    known.set(key, kernel);
  }
  return { kernel, values: valuesOf(form, launch), total };
}

function formOf(
  { programs, loops, tree, pieces, position, types, scan, finds }: Launch,
  total: number,
): ReduceForm {
  const { outer, inner, axes } = loops;
  const { isSplit } = pieces;
  const isScan = scan !== undefined;
  const totals = (scan ?? []).map(
    (array, index): ReduceArray => ({
      name: `$total${index}`,
      type: array.dtype.name as DTypeName,
      index: programs.map.inputs.length + index,
      writes: false,
      mode: 'dense',
      strides: [],
    }),
  );
  const arrays = arraysOf(programs, position).map((one, place): ReduceArray => {
    if (one.writes && isSplit && !isScan) return { ...one, mode: 'dense', strides: [] };
    const axesOf = one.writes && !isScan ? [outer] : [outer, inner];
    const strides = axesOf.flatMap((loop) => knownStrides(loop.arrays[place] as LoopArray));
    return { ...one, mode: 'strided', strides };
  });
  const elements = Math.max(total, tree.lanes * tree.rows + tree.rest);
  return {
    ...programs,
    isSplit,
    isScan,
    finds,
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
  const used = new Set(map.instructions.flatMap(({ operation, source }) => (operation === 'load' ? [source] : []))); // biome-ignore format: one line
  const written = finish.outputs.map(({ name, type }, index) => ({ name, type, index, writes: true })); // biome-ignore format: one line
  const read = map.inputs.flatMap(({ name, type, isArray }, index) =>
    isArray && used.has(index) && index !== position ? [{ name, type, index, writes: false }] : [],
  );
  return [...written, ...read];
}

/** Returns the form of a reduction of rows, whose elements follow one another. */
export function rowForm(
  programs: Programs,
  scalars: readonly Register[],
  { position, finds }: Pick<ReduceForm, 'position' | 'finds'>,
): ReduceForm {
  const { axes } = programs.map;
  const outer = Math.max(1, axes - 1);
  const others = Array.from({ length: outer }, () => null);
  return {
    ...programs,
    isSplit: false,
    isScan: false,
    finds,
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

function knownStrides({ array: { itemsize }, strides }: LoopArray): KnownStride[] {
  return strides.map((stride) => (stride === 0 ? 0 : stride === itemsize ? 1 : null));
}

function valuesOf(
  form: ReduceForm,
  { loops, tree, pieces, scalars, scan = [] }: Launch,
): Arguments {
  const { outer, inner } = loops;
  const lengths = [...outer.shape, ...inner.shape];
  const values: Record<string, Arguments[string]> = {
    [TREE.lanes]: tree.lanes,
    [TREE.rows]: tree.rows,
    [TREE.rest]: tree.rest,
    [TREE.leafRows]: tree.leafRows,
    [TREE.leaves]: tree.leaves,
    [TREE.size]: pieces.size,
    [TREE.pieces]: pieces.count,
    [TREE.shift]: 5 - Math.log2(tree.lanes),
  };
  for (const axis of reduceLengthAxes(form)) values[lengthName(axis)] = lengths[axis] as number;
  for (const [place, one] of form.arrays.entries()) {
    const [along, across] = [outer.arrays[place], inner.arrays[place]] as [LoopArray, LoopArray];
    if (along === undefined)
      values[one.name] = scan[place - outer.arrays.length] as ArrayDescriptor;
    else if (one.mode === 'dense') values[one.name] = along.array;
    else if (one.writes && !form.isScan)
      values[one.name] = argumentOf(one, along, outer.shape, along.strides);
    else values[one.name] = argumentOf(one, along, lengths, [...along.strides, ...across.strides]);
  }
  for (const [index, type] of form.scalars.entries()) {
    const value = scalars[index] as Value;
    values[scalarName(index)] = type === 'bool' ? value !== 0 : value;
  }
  return values;
}

function argumentOf(
  { type }: ReduceArray,
  { array, shift }: LoopArray,
  shape: readonly number[],
  byteStrides: readonly number[],
): ArrayDescriptor {
  return replace(array, {
    pointer: array.pointer + BigInt(shift),
    shape: [...shape],
    byteStrides: [...byteStrides] as never,
    dtype: dtype(memoryName(type)),
    base: null,
  });
}

function kernelOf(name: string, form: ReduceForm): Kernel {
  return defineKernel({
    name,
    parameters: kernelParameters(form),
    mayOverlap: true, // what overlaps was refused before
    code: {
      cuda: { ptx: reducePtx(form), function: ENTRY },
      sycl: { spirv: reduceSpirv(form), function: ENTRY },
      host: { program: reductionBytes(form) },
    },
  }) as Kernel;
}

function kernelParameters(form: ReduceForm): Parameters {
  const type = reduceIndexType(form);
  const names = [FIRST, TOTAL, ...Object.values(TREE), ...reduceLengthAxes(form).map(lengthName)];
  const parameters: Record<string, Parameters[string]> = {};
  for (const one of names) parameters[one] = type;
  for (const { name, type: own, writes, mode, strides } of form.arrays) {
    const memory = memoryName(own);
    const access = writes ? { write: memory } : { read: memory };
    parameters[name] = mode === 'strided' ? { ...access, strides: strides.length } : access;
  }
  for (const [index, own] of form.scalars.entries()) parameters[scalarName(index)] = own;
  return parameters;
}
