import { type ArrayDescriptor, type DTypeName, dtype } from '@array-interface/core';
import { replace } from '@array-interface/core/backend';
import { defineKernel, type Kernel, type Parameters } from '@array-interface/core/kernel';
import {
  ENTRY,
  FIRST,
  type FormArray,
  indexType,
  type KernelForm,
  lengthAxes,
  lengthName,
  type Mode,
  scalarName,
  TOTAL,
} from '../code/form.js';
import { ptxOf } from '../code/ptx.js';
import { spirvOf } from '../code/spirv.js';
import { type Elements, runProgram } from '../evaluate/run.js';
import { scalarTypes } from '../program/hoist.js';
import { type Program, registersOf, type Value } from '../program/instruction.js';
import type { Loop, LoopArray } from './loop.js';

/** A launch of a kernel: what it takes, and how many elements it computes. */
export interface Prepared {
  readonly kernel: Kernel;
  readonly values: Readonly<Record<string, ArrayDescriptor | Value | boolean>>;
  readonly total: number;
}

/** The kernels of a program, by what else their code depends on. */
export type Kernels = Map<string, Kernel>;

/** The longest range whose indices have 32 bits, with room for whole groups behind it. */
export const MOST_SHORT: number = 2 ** 31;

/** How an array of a loop is written in code. */
function formOf(program: Program, loop: Loop): KernelForm {
  const { shape, arrays } = loop;
  const outputs = program.outputs.map(({ name, type }, index) => ({
    name,
    type,
    writes: true,
    index,
  }));
  const used = new Set(program.instructions.flatMap(({ operation, source }) => (operation === 'load' ? [source] : []))); // biome-ignore format: one line
  const inputs = program.inputs.flatMap(({ name, type, isArray }, index) =>
    isArray && used.has(index) ? [{ name, type, writes: false, index }] : [],
  );
  const total = shape.reduce((product, length) => product * length, 1);
  return {
    program,
    axes: shape.length,
    isLong: total > MOST_SHORT,
    arrays: [...outputs, ...inputs].map((one, place) => ({
      ...one,
      mode: modeOf(arrays[place] as LoopArray, shape),
    })),
    scalars: scalarTypes(program),
  };
}

function modeOf({ array, strides }: LoopArray, shape: readonly number[]): Mode {
  let expected = array.itemsize;
  let isDense = true;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (strides[axis] !== expected) isDense = false;
    expected *= shape[axis] as number;
  }
  if (isDense) return 'dense';
  return strides.every((stride) => stride === 0) ? 'one' : 'strided';
}

/** Returns a kernel with its code for each backend, and what it takes. Keeps kernels in `known`. */
export function prepare(
  name: string,
  program: Program,
  loop: Loop,
  scalars: readonly Value[],
  known: Kernels,
): Prepared {
  const form = formOf(program, loop);
  const key = `${form.axes} ${form.isLong} ${form.arrays.map(({ mode }) => mode).join()}`;
  let kernel = known.get(key);
  if (kernel === undefined) {
    kernel = kernelOf(name, form);
    known.set(key, kernel);
  }
  const total = loop.shape.reduce((product, length) => product * length, 1);
  const values: Record<string, ArrayDescriptor | Value | boolean> = {};
  for (const axis of lengthAxes(form)) values[lengthName(axis)] = loop.shape[axis] as number;
  for (const [index, one] of form.arrays.entries()) {
    values[one.name] = argumentOf(one, loop.arrays[index] as LoopArray, loop.shape);
  }
  for (const [index, type] of form.scalars.entries()) {
    const value = scalars[index] as Value;
    values[scalarName(index)] = type === 'bool' ? value !== 0 : value;
  }
  return { kernel, values, total };
}

/** The dtype under which code takes elements: float16 by its bits. */
export function memoryName(type: DTypeName): DTypeName {
  return type === 'float16' ? 'uint16' : type;
}

function argumentOf(
  { mode, type }: FormArray,
  { array, shift, strides }: LoopArray,
  shape: readonly number[],
): ArrayDescriptor {
  return replace(array, {
    pointer: array.pointer + BigInt(shift),
    shape: mode === 'one' ? [1] : [...shape],
    byteStrides: (mode === 'one' ? [array.itemsize] : [...strides]) as never,
    dtype: dtype(memoryName(type)),
    base: null,
  });
}

function kernelOf(name: string, form: KernelForm): Kernel {
  return defineKernel({
    name,
    parameters: kernelParameters(form),
    mayOverlap: true, // what overlaps was refused before
    code: {
      cuda: { ptx: ptxOf(form), function: ENTRY },
      sycl: { spirv: spirvOf(form), function: ENTRY },
      host: {
        javascript(values, [count = 0]) {
          runOnHost(form, values as never, count);
        },
      },
    },
  }) as Kernel;
}

function kernelParameters(form: KernelForm): Parameters {
  const type = indexType(form) as 'uint32' | 'uint64';
  const parameters: Record<string, Parameters[string]> = { [FIRST]: type, [TOTAL]: type };
  for (const axis of lengthAxes(form)) parameters[lengthName(axis)] = type;
  for (const { name, type: own, writes, mode } of form.arrays) {
    const memory = memoryName(own);
    const access = writes ? { write: memory } : { read: memory };
    parameters[name] = mode === 'strided' ? { ...access, strides: form.axes } : access;
  }
  for (const [index, own] of form.scalars.entries()) parameters[scalarName(index)] = own;
  return parameters;
}

type HostValue = Elements['elements'] | Elements | number | bigint | boolean;
type HostValues = Readonly<Record<string, HostValue>>;

/** Computes the elements of one launch. */
function runOnHost(form: KernelForm, values: HostValues, range: number): void {
  const { program, arrays } = form;
  const [first, total] = [Number(values[FIRST]), Number(values[TOTAL])];
  const lengths = lengthAxes(form).map((axis) => Number(values[lengthName(axis)]));
  const inner = lengths.reduce((product, length) => product * length, 1);
  const shape = lengths.length === 0 ? [total] : [total / inner, ...lengths];
  const elementsOf = ({ name, mode, type }: FormArray): Elements => {
    const parts = registersOf(type).length;
    const given = values[name] as Elements & Elements['elements'];
    if (mode === 'strided') return given;
    const strides = shape.map(() => 0);
    if (mode === 'dense') {
      let step = parts;
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        strides[axis] = step;
        step *= shape[axis] as number;
      }
    }
    return { elements: given, offset: 0, strides };
  };
  const inputs: Elements[] = [];
  const outputs: Elements[] = [];
  for (const array of arrays) (array.writes ? outputs : inputs)[array.index] = elementsOf(array);
  const scalars = form.scalars.map((_, index) => {
    const value = values[scalarName(index)] as Value | boolean;
    return typeof value === 'boolean' ? Number(value) : value;
  });
  const count = Math.min(range, total - first);
  runProgram(program, shape, inputs, outputs, scalars, { first, count });
}
