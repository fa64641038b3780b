import {
  bitsOf,
  type Instruction,
  isWide,
  type Operation,
  type Register,
  registersOf,
  type Value,
} from '../program/instruction.js';
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

/** Returns a kernel as a program for the host backend, in words of 32 bits. */
export function bytesOf(form: KernelForm): Uint8Array {
  const { program, arrays } = form;
  const parameters = parametersOf(form);
  const placeOf = (name: string) =>
    parameters.findIndex((one) => one.kind === 'number' && one.name === name);
  const lengths = lengthAxes(form).map((axis) => placeOf(lengthName(axis)));
  const stores = program.outputs.flatMap(({ registers }, index) =>
    registers.map((register, part) => {
      const { type } = program.instructions[register] as Instruction;
      return [headOf(STORE, type), index, part, register];
    }),
  );
  const instructions = program.instructions.map((one) => {
    const { operation, type, operands, source, part } = one;
    const head = headOf(OPERATIONS.indexOf(operation), type);
    if (operation === 'constant') return [head, ...wordsOf(type, one.value as Value), 0];
    if (operation === 'scalar') return [head, placeOf(scalarName(source as number)), 0, 0];
    if (operation === 'index') return [head, source as number, 0, 0];
    if (operation !== 'load') return [head, ...[0, 1, 2].map((place) => operands[place] ?? 0)];
    const array = arrays.findIndex(({ writes, index }) => !writes && index === source);
    return [head, array, part as number, 0];
  });
  const words = [
    ...[MAGIC, VERSION, lengths.length + 1, arrays.length, instructions.length + stores.length],
    ...[placeOf(FIRST), placeOf(TOTAL), ...lengths],
    ...arrays.flatMap((array) => {
      const place = parameters.findIndex((one) => one.kind === 'pointer' && one.array === array);
      const registers = registersOf(array.type);
      const size = (registers.length * bitsOf(registers[0] as Register)) / 8;
      return [place, MODES.indexOf(array.mode), size];
    }),
    ...[...instructions, ...stores].flat(),
  ];
  return new Uint8Array(Uint32Array.from(words).buffer);
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
