import { ArrayInterfaceError } from '@array-interface/core';
import { instructions } from './check-spirv.js';

// Opcodes and storage classes of SPIR-V 1.6.
const ENTRY_POINT = 15;
const TYPE_INT = 21;
const TYPE_FLOAT = 22;
const TYPE_VECTOR = 23;
const TYPE_POINTER = 32;
const TYPE_FUNCTION = 33;
const FUNCTION = 54;
const WORKGROUP = 4;
/** The storage class Function: a struct passed by value is a pointer to such memory. */
const OWN = 7;

/** The kind of a parameter: an array, local memory, or a value of that many bytes. */
type Parameter = 'array' | 'local' | number;

/** Indexed by core's type codes. */
const PARAMETERS: readonly Parameter[] = [1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 'array', 'local'];

/** The types and functions that a module declares, by their ids. */
interface Module {
  /** Only types that a parameter of a kernel can have. */
  readonly types: Map<number, Parameter>;
  /** The types of the parameters, by the id of the function type. */
  readonly functionTypes: Map<number, readonly number[]>;
  readonly typesOfFunctions: Map<number, number>;
  readonly entryPoints: Map<string, number>;
}

/**
 * Compares the parameters of a function with a kernel's definition before the device's compiler
 * gets the module: the runtime would refuse the launch without a reason. `types` are core's codes.
 * The module must have passed `checkSpirv`. Another check reports a missing function. Throws
 * ERR_KERNEL.
 */
export function checkParameters(spirv: Uint8Array, name: string, types: readonly number[]): void {
  const parameters = parametersOf(readModule(spirv), name);
  if (parameters === null) return;
  types.forEach((type, index) => {
    const wanted = PARAMETERS[type] as Parameter;
    const found = parameters[index];
    if (found === null || found === wanted) return;
    const [expected, got] = difference(wanted, found);
    throw refusal(`a function whose parameter ${index} ${expected}`, got);
  });
  if (parameters.length <= types.length) return;
  throw refusal(`a function of ${types.length} parameters`, 'one with more');
}

function difference(wanted: Parameter, found: Parameter | undefined): [string, string] {
  const isNumber = typeof wanted === 'number';
  const expected = isNumber ? `has ${wanted} bytes` : `is ${nameOf(wanted)}`;
  if (found === undefined) return [expected, 'fewer parameters'];
  return [
    expected,
    isNumber && typeof found === 'number' ? `one of ${found} bytes` : nameOf(found),
  ];
}

function nameOf(parameter: Parameter): string {
  if (typeof parameter === 'number') return `a number of ${parameter} bytes`;
  return parameter === 'array' ? 'a pointer to elements' : 'a pointer to local memory';
}

/**
 * Null if there is no such function. An entry is null if no kernel definition has a type like it.
 */
function parametersOf(module: Module, name: string): readonly (Parameter | null)[] | null {
  const type = module.typesOfFunctions.get(module.entryPoints.get(name) ?? 0);
  const ids = module.functionTypes.get(type ?? 0);
  return ids?.map((id) => module.types.get(id) ?? null) ?? null;
}

function readModule({ buffer, byteLength }: Uint8Array): Module {
  const words = new Uint32Array(buffer, 0, byteLength >> 2);
  const module: Module = {
    types: new Map(),
    functionTypes: new Map(),
    typesOfFunctions: new Map(),
    entryPoints: new Map(),
  };
  for (const [operation, at, length] of instructions(words)) {
    const operands = words.subarray(at + 1, at + length);
    if (operation === FUNCTION) {
      module.typesOfFunctions.set(operands[1] as number, operands[3] as number);
    } else if (operation === TYPE_FUNCTION) {
      module.functionTypes.set(operands[0] as number, [...operands.subarray(2)]);
    } else if (operation === ENTRY_POINT) {
      module.entryPoints.set(textOf(operands.subarray(2)), operands[1] as number);
    } else {
      const parameter = typeOf(operation, operands, module.types);
      if (parameter !== null) module.types.set(operands[0] as number, parameter);
    }
  }
  return module;
}

/** The kind of a parameter of the type that an instruction defines. Null for other instructions. */
function typeOf(
  operation: number,
  [, first = 0, second = 0]: Uint32Array,
  types: ReadonlyMap<number, Parameter>,
): Parameter | null {
  if (operation === TYPE_INT || operation === TYPE_FLOAT) return first / 8;
  if (operation === TYPE_VECTOR) {
    const bytes = types.get(first);
    return typeof bytes === 'number' ? bytes * (second === 3 ? 4 : second) : null;
  }
  if (operation !== TYPE_POINTER || first === OWN) return null;
  return first === WORKGROUP ? 'local' : 'array';
}

/** Decodes a SPIR-V literal string, which ends with a zero byte. */
function textOf({ buffer, byteOffset, byteLength }: Uint32Array): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

function refusal(expected: string, got: string): ArrayInterfaceError {
  const message = `expected ${expected}, got ${got}; define the parameters as the code has them`;
  return new ArrayInterfaceError('ERR_KERNEL', 'code.sycl', message);
}
