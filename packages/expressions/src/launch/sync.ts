import {
  type ArrayDescriptor,
  type ArrayLike,
  type DTypeName,
  dtype,
  fromProducer,
  isArrayDescriptor,
  makeDescriptor,
  type TypedArray,
} from '@array-interface/core';
import type { Casting } from '@array-interface/core/numbers';
import { type Elements, runProgram } from '../evaluate/run.js';
import { registersOf } from '../program/instruction.js';
import { bind, type Expression, scalarsOf } from './expression.js';
import { countOf, loopOver } from './loop.js';
import { fault, readOperands, readOutputs } from './operands.js';
import { assertApart, assertNoneRepeats } from './overlap.js';

/** The typed arrays in which registers are in memory; a float16 and a bool by their bits. */
const CLASSES = {
  bool: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

/** Computes an expression in JavaScript's own memory, at once. Returns its outputs by name. */
export function callSync(
  expression: Expression,
  values: Readonly<Record<string, unknown>>,
  out: Readonly<Record<string, unknown>>,
  casting: Casting,
): Record<string, ArrayDescriptor> {
  const operands = readOperands(expression.inputs, values, describe);
  const given = readOutputs(expression.outputNames, out, describe);
  const bound = bind(expression, operands, given, casting);
  const { compiled, shape } = bound;
  const scalars = scalarsOf(bound, operands);
  assertNoneRepeats(given);
  assertApart(operands, given);
  const { kernel: program } = compiled;
  const outputs = program.outputs.map(
    ({ name, type }) => given.find((one) => one.name === name)?.array ?? newArray(shape, type),
  );
  const named = Object.fromEntries(
    program.outputs.map(({ name }, index) => [name, outputs[index] as ArrayDescriptor]),
  );
  if (shape.includes(0)) return named;
  const inputs = operands.map(({ array }) => array);
  const present = inputs.filter((array) => array !== null);
  const loop = loopOver(shape, [...outputs, ...present], program.axes > 0);
  const elements = loop.arrays.map(({ array, shift, strides }) =>
    elementsOf(array, shift, strides),
  );
  const loaded = elements.slice(outputs.length);
  const count = countOf(shape);
  const byInput = inputs.map((array) => (array === null ? undefined : loaded.shift()));
  runProgram(program, loop.shape, byInput, elements, scalars, { first: 0, count });
  return named;
}

function describe(value: ArrayLike, name: string): ArrayDescriptor {
  const array = isArrayDescriptor(value) ? value : fromProducer(value as never);
  if (array.buffer !== null) {
    assertTyped(array, name);
    return array;
  }
  const cure = 'pass typed arrays, or a backend to evaluate()';
  throw fault(
    'ERR_NOT_ACCESSIBLE',
    name,
    "elements in JavaScript's own memory",
    'an address',
    cure,
  );
}

function newArray(shape: readonly number[], type: DTypeName): ArrayDescriptor {
  const { itemsize } = dtype(type);
  const size = countOf(shape) * itemsize;
  return makeDescriptor({ pointer: 0, shape, dtype: type, buffer: new ArrayBuffer(size) });
}

function elementsOf(
  array: ArrayDescriptor,
  shift: number,
  byteStrides: readonly number[],
): Elements {
  const { dtype: type, pointer } = array;
  const Class = CLASSES[registersOf(type.name as DTypeName)[0] as keyof typeof CLASSES];
  const unit = Class.BYTES_PER_ELEMENT;
  const place = Number(pointer) + shift;
  const buffer = array.buffer as ArrayBuffer;
  return {
    elements: new Class(buffer, 0, Math.floor(buffer.byteLength / unit)) as TypedArray,
    offset: place / unit,
    strides: byteStrides.map((stride) => stride / unit),
  };
}

/** Throws ERR_BYTE_ORDER or ERR_NOT_ACCESSIBLE for what no typed array holds. */
function assertTyped(
  { dtype: type, pointer, byteStrides, itemsize }: ArrayDescriptor,
  path: string,
): void {
  const cure = 'copy it, with the host backend';
  if (type.byteOrder === 'big')
    throw fault('ERR_BYTE_ORDER', path, 'native byte order', type.typestr, cure);
  const unit = type.kind === 'c' ? itemsize / 2 : itemsize;
  const isAligned = [Number(pointer), ...byteStrides].every((bytes) => bytes % unit === 0);
  if (!isAligned)
    throw fault(
      'ERR_NOT_ACCESSIBLE',
      path,
      `elements at multiples of ${unit} bytes`,
      'others',
      cure,
    );
}
