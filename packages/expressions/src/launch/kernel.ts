import {
  type ArrayDescriptor,
  type Backend,
  type BackendQueue,
  type DType,
  type DTypeName,
  dtype,
} from '@array-interface/core';
import { type AnyLaunch, type PreparedLaunch, replace } from '@array-interface/core/backend';
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
import type { Program, Register, Value } from '../program/instruction.js';
import { countOf, type Loop, type LoopArray } from './loop.js';

/** How code takes an array of a call, if not as it is. Keeps none alive. */
export interface Place extends Pick<LoopArray, 'shift' | 'strides'> {
  readonly shape: readonly number[];
  readonly dtype: DType;
  /** By the arrays of calls: programs often take the same views again and again. */
  readonly placed: WeakMap<ArrayDescriptor, ArrayDescriptor>;
}

/** A kernel for operands of some layouts. */
export interface Prepared {
  readonly kernel: Kernel;
  /** Number of items. */
  readonly total: number;
  /** Of a range of two axes: the items along the second, the faster. Else 1. */
  readonly columns: number;
  /** The names of what each call gives: its arrays, then its numbers. */
  readonly names: readonly string[];
  /** How it takes each array. Null: as it is. */
  readonly places: readonly (Place | null)[];
  /** The types of its numbers. */
  readonly scalars: readonly Register[];
  /** What else it takes, which is the same for all calls. */
  readonly constants: Readonly<Arguments>;
  readonly launches: Launches;
}

/** What a kernel takes, by name. */
export type Arguments = Record<string, ArrayDescriptor | Value | boolean>;

/** Checked launches of one kernel and range without a signal, by the queue that a call names or the backend. */
type Launches = WeakMap<Backend | BackendQueue, KeptLaunch>;

export interface KeptLaunch {
  readonly checked: AnyLaunch;
  /** Null if the backend prepares none. */
  readonly prepared: PreparedLaunch | null;
}

/** A launch of a kernel, for arrays that have the layouts of its loop, and numbers. */
export interface KernelCall {
  readonly prepared: Prepared;
  readonly arrays: readonly ArrayDescriptor[];
  readonly scalars: readonly Value[];
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
  const total = countOf(shape);
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

/** Returns a kernel with its code for each backend. Keeps kernels in `known`. */
export function prepare(name: string, program: Program, loop: Loop, known: Kernels): Prepared {
  const form = formOf(program, loop);
  const key = `${form.axes} ${form.isLong} ${form.arrays.map(({ mode }) => mode).join()}`;
  let kernel = known.get(key);
  if (kernel === undefined) {
    kernel = kernelOf(name, form);
    known.set(key, kernel);
  }
  const total = countOf(loop.shape);
  const constants: Arguments = { [FIRST]: 0, [TOTAL]: total };
  for (const axis of lengthAxes(form)) constants[lengthName(axis)] = loop.shape[axis] as number;
  const places = form.arrays.map((one, index) =>
    placeOf(one, loop.arrays[index] as LoopArray, loop.shape),
  );
  const launches = new WeakMap();
  return { kernel, total, columns: 1, ...givenTo(form), places, constants, launches };
}

/** What each call gives to code. */
export function givenTo({
  arrays,
  scalars,
}: Pick<KernelForm, 'scalars'> & {
  readonly arrays: readonly Pick<FormArray, 'name'>[];
}): Pick<Prepared, 'names' | 'scalars'> {
  const numbers = scalars.map((_, index) => scalarName(index));
  return { names: [...arrays.map(({ name }) => name), ...numbers], scalars };
}

/** Returns all that a kernel takes for a call. */
export function argumentsOf(call: KernelCall): Arguments {
  const { names, constants } = call.prepared;
  const given = givenOf(call, placedIn).map((value, index) => [names[index] as string, value]);
  return { ...constants, ...Object.fromEntries(given) };
}

/** Returns what a call gives to a prepared launch, which knows how the arrays lie. */
export function addressedOf(call: KernelCall): unknown[] {
  return givenOf(call, (place, array) => (place.shift === 0 ? array : placedIn(place, array)));
}

function givenOf(
  { prepared: { places, scalars: types }, arrays, scalars }: KernelCall,
  take: typeof placedIn,
) {
  const given: (ArrayDescriptor | Value | boolean)[] = [];
  for (let index = 0; index < places.length; index++) {
    const place = places[index] as Place | null;
    const array = arrays[index] as ArrayDescriptor;
    given.push(place === null ? array : take(place, array));
  }
  for (let index = 0; index < types.length; index++) {
    const value = scalars[index] as Value;
    given.push(types[index] === 'bool' ? value !== 0 : value);
  }
  return given;
}

/** The dtype under which code takes elements: float16 by its bits. */
function memoryName(type: DTypeName): DTypeName {
  return type === 'float16' ? 'uint16' : type;
}

function placeOf(
  { mode, type }: Pick<FormArray, 'mode' | 'type'>,
  { array, shift, strides }: LoopArray,
  shape: readonly number[],
): Place | null {
  const isDense = mode === 'dense' && shift === 0 && array.contiguous.c;
  if (isDense && type !== 'float16') return null;
  return mode === 'one'
    ? newPlace(type, shift, [1], [array.itemsize])
    : newPlace(type, shift, shape, strides);
}

export function newPlace(
  type: DTypeName,
  shift: number,
  shape: readonly number[],
  strides: readonly number[],
): Place {
  return { shift, strides, shape, dtype: dtype(memoryName(type)), placed: new WeakMap() };
}

/** Returns an array as a kernel takes it at a place. */
function placedIn(
  { shift, shape, strides, dtype: own, placed }: Place,
  array: ArrayDescriptor,
): ArrayDescriptor {
  const found = placed.get(array);
  if (found !== undefined) return found;
  const made = replace(array, {
    pointer: array.pointer + BigInt(shift),
    shape: [...shape],
    byteStrides: [...strides] as never,
    dtype: own,
    base: null,
  });
  placed.set(array, made);
  return made;
}

function kernelOf(name: string, form: KernelForm): Kernel {
  const numbers = [FIRST, TOTAL, ...lengthAxes(form).map(lengthName)];
  return newKernel(name, form, numbers, indexType(form), () => form.axes, {
    ptx: () => ptxOf(form),
    spirv: () => spirvOf(form),
    program: () => bytesOf(form),
  });
}

/** Returns a kernel of numbers of an index type, arrays with strides along some axes, and scalars. */
export function newKernel<A extends FormArray>(
  name: string,
  { arrays, scalars }: { readonly arrays: readonly A[]; readonly scalars: readonly Register[] },
  numbers: readonly string[],
  type: Register,
  axesOf: (array: A) => number,
  write: { ptx(): string; spirv(): Uint8Array; program(): Uint8Array },
): Kernel {
  const parameters: Record<string, Parameters[string]> = {};
  for (const one of numbers) parameters[one] = type;
  for (const array of arrays) {
    const memory = memoryName(array.type);
    const access = array.writes ? { write: memory } : { read: memory };
    const isStrided = array.mode === 'strided';
    parameters[array.name] = isStrided ? { ...access, strides: axesOf(array) } : access;
  }
  for (const [index, own] of scalars.entries()) parameters[scalarName(index)] = own;
  return defineKernel({
    name,
    parameters,
    mayOverlap: true, // what overlaps was refused before
    // Each is written when a backend first reads it: most programs use one.
    code: {
      cuda: {
        get ptx() {
          return write.ptx();
        },
        function: ENTRY,
      },
      sycl: {
        get spirv() {
          return write.spirv();
        },
        function: ENTRY,
      },
      host: {
        get program() {
          return write.program();
        },
      },
    },
  }) as Kernel;
}
