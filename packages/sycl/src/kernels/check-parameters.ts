import { ArrayInterfaceError } from '@array-interface/core';
import { instructions, textOf } from './check-spirv.js';

// Opcodes and storage classes of SPIR-V 1.6.
const ENTRY_POINT = 15;
const TYPE_INT = 21;
const TYPE_FLOAT = 22;
const TYPE_VECTOR = 23;
const TYPE_ARRAY = 28;
const TYPE_STRUCT = 30;
const TYPE_POINTER = 32;
const TYPE_FUNCTION = 33;
const CONSTANT = 43;
const FUNCTION = 54;
const DECORATE = 71;
const PACKED = 10;
const WORKGROUP = 4;
/** The storage class Function: a struct passed by value is a pointer to such memory. */
const OWN = 7;

/** The kind of a parameter: an array, local memory, a struct, or a value of that many bytes. */
type Parameter = 'array' | 'local' | `struct of ${number} bytes` | number;

/** Indexed by core's type codes. */
const PARAMETERS: readonly Parameter[] = [1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 'array', 'local'];
/** Core's type code of a struct. The bits above the lowest 8 are its bytes. */
const STRUCT = 12;

function parameterOf(type: number): Parameter {
  return (type & 0xff) === STRUCT
    ? `struct of ${type >>> 8} bytes`
    : (PARAMETERS[type] as Parameter);
}

/** How a type lies in memory. */
interface Layout {
  readonly size: number;
  readonly align: number;
}

/** The types and functions that a module declares, by their ids. */
interface Module {
  /** Only types that a parameter of a kernel can have. */
  readonly types: Map<number, Parameter>;
  /** Types that have a size, by their ids. */
  readonly layouts: Map<number, Layout>;
  readonly constants: Map<number, number>;
  /** The ids of structs without padding. */
  readonly packed: Set<number>;
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
    const wanted = parameterOf(type);
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
  if (parameter === 'array') return 'a pointer to elements';
  return parameter === 'local' ? 'a pointer to local memory' : `a ${parameter}`;
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
    layouts: new Map(),
    constants: new Map(),
    packed: new Set(),
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
    } else if (operation === CONSTANT) {
      module.constants.set(operands[1] as number, operands[2] as number);
    } else if (operation === DECORATE) {
      if (operands[1] === PACKED) module.packed.add(operands[0] as number);
    } else {
      readType(operation, operands, module);
    }
  }
  return module;
}

/** Notes the type that an instruction defines. Skips other instructions. */
function readType(operation: number, operands: Uint32Array, module: Module): void {
  const [id = 0, first = 0, second = 0] = operands;
  const layout = layoutOf(operation, operands, module);
  if (layout !== null) module.layouts.set(id, layout);
  const isNumber = [TYPE_INT, TYPE_FLOAT, TYPE_VECTOR].includes(operation);
  if (isNumber && layout !== null) module.types.set(id, layout.size);
  if (operation !== TYPE_POINTER) return;
  if (first !== OWN) {
    module.types.set(id, first === WORKGROUP ? 'local' : 'array');
    return;
  }
  const own = module.layouts.get(second);
  if (own !== undefined) module.types.set(id, `struct of ${own.size} bytes`);
}

/** How the type that an instruction defines lies in memory. Null for all others. */
function layoutOf(
  operation: number,
  [id = 0, first = 0, second = 0, ...rest]: Uint32Array,
  { layouts, constants, packed }: Module,
): Layout | null {
  if (operation === TYPE_INT || operation === TYPE_FLOAT) {
    return { size: first / 8, align: first / 8 };
  }
  const element = layouts.get(first);
  if (operation === TYPE_VECTOR && element !== undefined) {
    const size = element.size * (second === 3 ? 4 : second);
    return { size, align: size };
  }
  if (operation === TYPE_ARRAY && element !== undefined) {
    return { size: element.size * (constants.get(second) ?? 0), align: element.align };
  }
  if (operation !== TYPE_STRUCT) return null;
  const members = [first, second, ...rest].filter((one) => one !== 0);
  return structOf(
    members.map((one) => layouts.get(one)),
    packed.has(id),
  );
}

/** Lays out a struct as C does. Null if a member has no layout. */
function structOf(members: readonly (Layout | undefined)[], isPacked: boolean): Layout | null {
  let [end, most] = [0, 1];
  for (const member of members) {
    if (member === undefined) return null;
    const align = isPacked ? 1 : member.align;
    end = Math.ceil(end / align) * align + member.size;
    most = Math.max(most, align);
  }
  return { size: Math.ceil(end / most) * most, align: most };
}

function refusal(expected: string, got: string): ArrayInterfaceError {
  const message = `expected ${expected}, got ${got}; define the parameters as the code has them`;
  return new ArrayInterfaceError('ERR_KERNEL', 'code.sycl', message);
}
