import { type ArrayDescriptor, type Backend, type DTypeName, dtype } from '@array-interface/core';
import { type AnyLaunch, replace } from '@array-interface/core/backend';
import { defineKernel, type Kernel, type Parameters } from '@array-interface/core/kernel';
import { bytesOf } from '../code/bytes.js';
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
import { scalarTypes } from '../program/hoist.js';
import type { Program, Value } from '../program/instruction.js';
import type { Loop, LoopArray } from './loop.js';

/** How code takes an array of a call. Keeps none alive. */
export interface Place extends Pick<LoopArray, 'shift' | 'strides'> {
  /** By the arrays of calls: programs often take the same views again and again. */
  readonly placed: WeakMap<ArrayDescriptor, ArrayDescriptor>;
}

/** A kernel for operands of some layouts. */
export interface Prepared {
  readonly kernel: Kernel;
  readonly form: KernelForm;
  readonly shape: readonly number[];
  readonly places: readonly Place[];
  /** Number of elements. */
  readonly total: number;
  /** What each launch takes, without the arrays and numbers of a call: names that are there are set faster. */
  readonly blank: Readonly<Arguments>;
  /** Its checked launches, without a named queue or a signal. */
  readonly launches: Launches;
}

/** What a kernel takes, by name. */
export type Arguments = Record<string, ArrayDescriptor | Value | boolean>;

/** Checked launches of one kernel and range, by backend. */
export type Launches = WeakMap<Backend, AnyLaunch>;

/** A launch of a kernel: what it takes, and how many items it has. */
export interface KernelCall {
  readonly kernel: Kernel;
  readonly values: Arguments;
  readonly total: number;
  /** Of a range of two axes: the items along the second, the faster. */
  readonly columns?: number;
  readonly launches: Launches;
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
  const used = new Set(
    program.instructions.flatMap(({ operation, source }) => (operation === 'load' ? [source] : [])),
  );
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

export const NO_ARRAY = null as unknown as ArrayDescriptor;

/** Returns a kernel with its code for each backend. Keeps kernels in `known`. */
export function prepare(name: string, program: Program, loop: Loop, known: Kernels): Prepared {
  const form = formOf(program, loop);
  const key = `${form.axes} ${form.isLong} ${form.arrays.map(({ mode }) => mode).join()}`;
  let kernel = known.get(key);
  if (kernel === undefined) {
    kernel = kernelOf(name, form);
    known.set(key, kernel);
  }
  const total = loop.shape.reduce((product, length) => product * length, 1);
  const blank: Arguments = { [FIRST]: 0, [TOTAL]: total };
  for (const axis of lengthAxes(form)) blank[lengthName(axis)] = loop.shape[axis] as number;
  for (const one of form.arrays) blank[one.name] = NO_ARRAY;
  for (const index of form.scalars.keys()) blank[scalarName(index)] = 0;
  const places = loop.arrays.map(({ shift, strides }) => ({
    shift,
    strides,
    placed: new WeakMap(),
  }));
  return { kernel, form, shape: loop.shape, places, total, blank, launches: new WeakMap() };
}

/** Returns what a kernel takes for these arrays, which have the layouts of its loop, and numbers. */
export function argumentsOf(
  { form, shape, places, blank }: Prepared,
  arrays: readonly ArrayDescriptor[],
  scalars: readonly Value[],
): Arguments {
  const values: Record<string, ArrayDescriptor | Value | boolean> = { ...blank };
  for (let index = 0; index < form.arrays.length; index++) {
    const array = arrays[index] as ArrayDescriptor;
    const one = form.arrays[index] as FormArray;
    const place = places[index] as Place;
    const isAsItIs =
      one.mode === 'dense' && place.shift === 0 && array.contiguous.c && one.type !== 'float16';
    values[one.name] = isAsItIs ? array : placedIn(place, one, array, shape);
  }
  for (let index = 0; index < form.scalars.length; index++) {
    const value = scalars[index] as Value;
    values[scalarName(index)] = form.scalars[index] === 'bool' ? value !== 0 : value;
  }
  return values;
}

/** The dtype under which code takes elements: float16 by its bits. */
export function memoryName(type: DTypeName): DTypeName {
  return type === 'float16' ? 'uint16' : type;
}

/** Returns an array as a kernel takes it at a place. */
export function placedIn(
  { shift, strides, placed }: Place,
  { mode, type }: Pick<FormArray, 'mode' | 'type'>,
  array: ArrayDescriptor,
  shape: readonly number[],
): ArrayDescriptor {
  const found = placed.get(array);
  if (found !== undefined) return found;
  const made = replace(array, {
    pointer: array.pointer + BigInt(shift),
    shape: mode === 'one' ? [1] : [...shape],
    byteStrides: (mode === 'one' ? [array.itemsize] : [...strides]) as never,
    dtype: dtype(memoryName(type)),
    base: null,
  });
  placed.set(array, made);
  return made;
}

function kernelOf(name: string, form: KernelForm): Kernel {
  return defineKernel({
    name,
    parameters: kernelParameters(form),
    mayOverlap: true, // what overlaps was refused before
    // Each is written when a backend first reads it: most programs use one.
    code: {
      cuda: {
        get ptx() {
          return ptxOf(form);
        },
        function: ENTRY,
      },
      sycl: {
        get spirv() {
          return spirvOf(form);
        },
        function: ENTRY,
      },
      host: {
        get program() {
          return bytesOf(form);
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
