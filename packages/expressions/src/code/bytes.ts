import type { DTypeName } from '@array-interface/core';
import {
  bitsOf,
  type Instruction,
  isWide,
  type Operation,
  type Program,
  type Register,
  registersOf,
  type Value,
} from '../program/instruction.js';
import { exponentOf } from './at-once.js';
import {
  FIRST,
  type KernelForm,
  lengthAxes,
  lengthName,
  type Mode,
  parametersOf,
  scalarName,
  TOTAL,
} from './form.js';

const MAGIC = 0x5058_4941; // "AIXP"
const VERSION = 1;

/** The number of a type, layout or operation is its place in these lists. */
const TYPES: readonly Register[] = [
  'bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float32', 'float64',
]; // biome-ignore format: in rows
const MODES: readonly Mode[] = ['dense', 'one', 'strided'];
const OPERATIONS: readonly Operation[] = [
  'load', 'scalar', 'constant', 'index', 'add', 'subtract', 'multiply', 'divide', 'quotient', 'remainder',
  'negate', 'absolute', 'squareRoot', 'floor', 'ceiling', 'truncate', 'roundToEven', 'minimum', 'maximum',
  'and', 'or', 'xor', 'not', 'shiftLeft', 'shiftRight', 'equal', 'less', 'lessEqual', 'select', 'convert',
  'reinterpret',
]; // biome-ignore format: in rows
const STORE = OPERATIONS.length;
const EXPONENTIAL = STORE + 1;

/** Where what a program takes and makes is. */
interface Binding {
  /** The places of the first index, of the number of all elements, and of the lengths. */
  readonly places: readonly number[];
  /** The place, the layout and the bytes of an element of each array. */
  readonly arrays: readonly (readonly number[])[];
  /** The place of a number. */
  scalar(source: number): number;
  /** An array and a part, or an axis and how many further ones count. */
  load(source: number, part: number): readonly ['load' | 'index', number, number];
  /** The axis of the loop. Default: the same one. */
  index?(axis: number): number;
  /** The array, the part and the instruction of each. */
  readonly stores: readonly (readonly [array: number, part: number, register: number])[];
}

/** Returns a kernel as a program for the host backend, in words of 32 bits. */
export function bytesOf(form: KernelForm): Uint8Array {
  const { program, arrays } = form;
  const parameters = parametersOf(form);
  const placeOf = (name: string) =>
    parameters.findIndex((one) => one.kind === 'number' && one.name === name);
  const words = programWords(program, {
    places: [FIRST, TOTAL, ...lengthAxes(form).map(lengthName)].map(placeOf),
    arrays: arrays.map((array) => {
      const place = parameters.findIndex((one) => one.kind === 'pointer' && one.array === array);
      return [place, MODES.indexOf(array.mode), sizeOf(array.type)];
    }),
    scalar: (source) => placeOf(scalarName(source)),
    load: (source, part) => {
      const array = arrays.findIndex(({ writes, index }) => !writes && index === source);
      return ['load', array, part];
    },
    stores: program.outputs.flatMap(({ registers }, index) =>
      registers.map((register, part) => [index, part, register] as const),
    ),
  });
  return new Uint8Array(Uint32Array.from(words).buffer);
}

/** Returns the words of a program. */
export function programWords(
  { instructions }: Program,
  { places, arrays, scalar, load, index: indexOf = (axis) => axis, stores }: Binding,
): number[] {
  const lines = instructions.map(({ operation, type, operands, source, part, value }, index) => {
    const exponent = exponentOf(instructions, index);
    // What it consists of stays: the host drops what nothing uses.
    if (exponent !== null) return [headOf(EXPONENTIAL, type), exponent, 0, 0];
    const head = headOf(OPERATIONS.indexOf(operation), type);
    if (operation === 'constant') return [head, ...wordsOf(type, value as Value), 0];
    if (operation === 'scalar') return [head, scalar(source as number), 0, 0];
    if (operation === 'index') return [head, indexOf(source as number), 0, 0];
    if (operation !== 'load') return [head, ...[0, 1, 2].map((place) => operands[place] ?? 0)];
    const [kind, place, more] = load(source as number, part as number);
    return [headOf(OPERATIONS.indexOf(kind), type), place, more, 0];
  });
  for (const [array, part, register] of stores) {
    const { type } = instructions[register] as Instruction;
    lines.push([headOf(STORE, type), array, part, register]);
  }
  const axes = places.length - 1;
  return [
    MAGIC,
    VERSION,
    axes,
    arrays.length,
    lines.length,
    ...places,
    ...arrays.flat(),
    ...lines.flat(),
  ];
}

/** Returns the bytes of an element in memory. */
export function sizeOf(type: DTypeName): number {
  const registers = registersOf(type);
  return (registers.length * bitsOf(registers[0] as Register)) / 8;
}

export function numberOfType(type: Register): number {
  return TYPES.indexOf(type);
}

function headOf(operation: number, type: Register): number {
  return operation + TYPES.indexOf(type) * 256;
}

/** Returns the bits of a value, the lower half first. */
function wordsOf(type: Register, value: Value): [number, number] {
  if (Number.isNaN(value)) return type === 'float32' ? [0x7fc0_0000, 0] : [0, 0x7ff8_0000];
  const view = new DataView(new ArrayBuffer(8));
  if (type === 'float64') view.setFloat64(0, value as number, true);
  else if (type === 'float32') view.setFloat32(0, value as number, true);
  else if (isWide(type)) view.setBigUint64(0, BigInt.asUintN(64, value as bigint), true);
  else view.setInt32(0, value as number, true);
  return [view.getUint32(0, true), view.getUint32(4, true)];
}
