import {
  bitsOf,
  type Instruction,
  isFloat,
  isSigned,
  isWide,
  type Operation,
  type Register,
  registersOf,
  type Value,
} from '../program/instruction.js';
import {
  ENTRY,
  FIRST,
  type FormArray,
  type FormParameter,
  indexType,
  type KernelForm,
  lengthAxes,
  lengthName,
  parametersOf,
  scalarName,
  TOTAL,
  usesIndices,
} from './form.js';
import { SpirvModule, textWords } from './spirv-module.js';

// Numbers of the SPIR-V specification 1.0 and of its OpenCL instructions.
const CAPABILITY = { addresses: 4, kernel: 6, float64: 10, int64: 11, int16: 22, int8: 39 };
const STORAGE = { input: 1, crossWorkgroup: 5 };
const PHYSICAL_64 = 2;
const OPENCL = 2;
const KERNEL_MODEL = 6;
const CONTRACTION_OFF = 31;
const GLOBAL_INVOCATION_ID = 28;
const DECORATION = { builtIn: 11, constant: 22 };
const ALIGNED = 2;

const OP = {
  extInstImport: 11,
  extInst: 12,
  memoryModel: 14,
  entryPoint: 15,
  executionMode: 16,
  typeVoid: 19,
  typeBool: 20,
  typeInt: 21,
  typeFloat: 22,
  typeVector: 23,
  typePointer: 32,
  typeFunction: 33,
  constantTrue: 41,
  constantFalse: 42,
  constant: 43,
  function: 54,
  functionParameter: 55,
  functionEnd: 56,
  variable: 59,
  load: 61,
  store: 62,
  inBoundsPtrAccessChain: 70,
  decorate: 71,
  compositeExtract: 81,
  convertFToU: 109,
  convertFToS: 110,
  convertSToF: 111,
  convertUToF: 112,
  uConvert: 113,
  sConvert: 114,
  fConvert: 115,
  bitcast: 124,
  sNegate: 126,
  fNegate: 127,
  iAdd: 128,
  fAdd: 129,
  iSub: 130,
  fSub: 131,
  iMul: 132,
  fMul: 133,
  uDiv: 134,
  sDiv: 135,
  fDiv: 136,
  uMod: 137,
  sRem: 138,
  logicalNotEqual: 165,
  logicalOr: 166,
  logicalAnd: 167,
  logicalNot: 168,
  select: 169,
  iEqual: 170,
  iNotEqual: 171,
  uGreaterThanEqual: 174,
  uLessThan: 176,
  sLessThan: 177,
  uLessThanEqual: 178,
  sLessThanEqual: 179,
  fOrdEqual: 180,
  fOrdLessThan: 184,
  fOrdLessThanEqual: 188,
  shiftRightLogical: 194,
  shiftRightArithmetic: 195,
  shiftLeftLogical: 196,
  bitwiseOr: 197,
  bitwiseXor: 198,
  bitwiseAnd: 199,
  not: 200,
  selectionMerge: 247,
  label: 248,
  branch: 249,
  branchConditional: 250,
  return: 253,
} as const;

/** Functions of OpenCL that are exact, or rounded correctly. */
const EXACT: Partial<Record<Operation, number>> = {
  absolute: 23,
  ceiling: 12,
  floor: 25,
  remainder: 29,
  roundToEven: 53,
  squareRoot: 61,
  truncate: 66,
};

const ARITHMETIC: Partial<
  Record<Operation, readonly [floats: number, signed: number, unsigned: number]>
> = {
  add: [OP.fAdd, OP.iAdd, OP.iAdd],
  subtract: [OP.fSub, OP.iSub, OP.iSub],
  multiply: [OP.fMul, OP.iMul, OP.iMul],
  divide: [OP.fDiv, 0, 0],
  quotient: [0, OP.sDiv, OP.uDiv],
  remainder: [0, OP.sRem, OP.uMod],
  negate: [OP.fNegate, OP.sNegate, OP.sNegate],
  and: [0, OP.bitwiseAnd, OP.bitwiseAnd],
  or: [0, OP.bitwiseOr, OP.bitwiseOr],
  xor: [0, OP.bitwiseXor, OP.bitwiseXor],
  not: [0, OP.not, OP.not],
  shiftLeft: [0, OP.shiftLeftLogical, OP.shiftLeftLogical],
  shiftRight: [0, OP.shiftRightArithmetic, OP.shiftRightLogical],
};

const OF_BOOLS: Partial<Record<Operation, number>> = {
  and: OP.logicalAnd,
  or: OP.logicalOr,
  xor: OP.logicalNotEqual,
  not: OP.logicalNot,
};

const TESTS: Partial<
  Record<Operation, readonly [floats: number, signed: number, unsigned: number]>
> = {
  equal: [OP.fOrdEqual, OP.iEqual, OP.iEqual],
  less: [OP.fOrdLessThan, OP.sLessThan, OP.uLessThan],
  lessEqual: [OP.fOrdLessThanEqual, OP.sLessThanEqual, OP.uLessThanEqual],
};

/** Returns a kernel as a module of SPIR-V 1.0 for OpenCL, with floating-point contraction off. */
export function spirvOf(form: KernelForm): Uint8Array {
  return new Writer(form).write();
}

class Writer {
  readonly #form: KernelForm;
  readonly #module = new SpirvModule();
  readonly #functions: number;
  readonly #parameters = new Map<string, number>();
  /** The id of each instruction's result. */
  readonly #results: number[] = [];

  constructor(form: KernelForm) {
    this.#form = form;
    const { addresses, kernel, int64 } = CAPABILITY;
    for (const one of [addresses, kernel, int64]) this.#module.demand(one);
    this.#functions = this.#module.id();
    this.#module.add('imports', OP.extInstImport, this.#functions, ...textWords('OpenCL.std'));
    this.#module.add('model', OP.memoryModel, PHYSICAL_64, OPENCL);
  }

  write(): Uint8Array {
    const module = this.#module;
    const parameters = parametersOf(this.#form);
    const types = parameters.map((one) => this.#parameterType(one));
    const nothing = module.declare(OP.typeVoid, []);
    const type = module.declare(OP.typeFunction, [nothing, ...types]);
    const kernel = module.id();
    const global = this.#globalId();
    module.add('entries', OP.entryPoint, KERNEL_MODEL, kernel, ...textWords(ENTRY), global);
    module.add('modes', OP.executionMode, kernel, CONTRACTION_OFF);
    module.add('code', OP.function, nothing, kernel, 0, type);
    for (const [index, one] of parameters.entries()) {
      this.#parameters.set(keyOf(one), module.make(OP.functionParameter, types[index] as number));
    }
    this.#body(global);
    module.add('code', OP.functionEnd);
    return module.bytes();
  }

  #globalId(): number {
    const module = this.#module;
    const vector = module.declare(OP.typeVector, [this.#type('uint64'), 3]);
    const pointer = module.declare(OP.typePointer, [STORAGE.input, vector]);
    const variable = module.declare(OP.variable, [STORAGE.input], pointer);
    module.add('decorations', OP.decorate, variable, DECORATION.builtIn, GLOBAL_INVOCATION_ID);
    module.add('decorations', OP.decorate, variable, DECORATION.constant);
    return variable;
  }

  #body(global: number): void {
    const module = this.#module;
    const { program, arrays } = this.#form;
    const [inside, end] = [module.id(), module.id()];
    module.add('code', OP.label, module.id());
    const vector = module.declare(OP.typeVector, [this.#type('uint64'), 3]);
    const ids = module.make(OP.load, vector, global, ALIGNED, 32);
    const within = module.make(OP.compositeExtract, this.#type('uint64'), ids, 0);
    const type = indexType(this.#form);
    const own = type === 'uint64' ? within : module.make(OP.uConvert, this.#type(type), within);
    const item = module.make(OP.iAdd, this.#type(type), own, this.#number(FIRST));
    const isInside = module.make(OP.uLessThan, this.#bool(), item, this.#number(TOTAL));
    module.add('code', OP.selectionMerge, end, 0);
    module.add('code', OP.branchConditional, isInside, inside, end);
    module.add('code', OP.label, inside);
    const indices = this.#indices(item, type);
    const places = new Map(
      arrays.map((array) => [arrayKey(array), this.#place(array, item, indices)]),
    );
    for (const instruction of program.instructions) {
      this.#results.push(this.#instruction(instruction, indices, places));
    }
    for (const array of arrays.filter(({ writes }) => writes)) {
      this.#store(array, places.get(arrayKey(array)) as number);
    }
    module.add('code', OP.branch, end);
    module.add('code', OP.label, end);
    module.add('code', OP.return);
  }

  /** The indices along the axes as int64, if code needs them. */
  #indices(item: number, type: Register): number[] {
    if (!usesIndices(this.#form)) return [];
    const module = this.#module;
    const axes = lengthAxes(this.#form);
    const indices: number[] = [];
    let left = item;
    for (const axis of axes.toReversed()) {
      const length = this.#number(lengthName(axis));
      indices[axis] = module.make(OP.uMod, this.#type(type), left, length);
      left = module.make(OP.uDiv, this.#type(type), left, length);
    }
    indices[0] = left;
    if (type === 'uint64') return indices;
    return indices.map((one) => module.make(OP.uConvert, this.#type('uint64'), one));
  }

  /** The index of the item's element, in words of the array's memory. */
  #place(array: FormArray, item: number, indices: readonly number[]): number {
    const module = this.#module;
    const long = this.#type('uint64');
    const parts = registersOf(array.type).length;
    let place = this.#constant('uint64', 0);
    if (array.mode === 'dense') {
      place = this.#form.isLong ? item : module.make(OP.uConvert, long, item);
    } else if (array.mode === 'strided') {
      for (const [axis, index] of indices.entries()) {
        const stride = this.#parameters.get(`${arrayKey(array)}${axis}`) as number;
        place = module.make(OP.iAdd, long, place, module.make(OP.iMul, long, index, stride));
      }
    }
    return parts === 1 ? place : module.make(OP.iMul, long, place, this.#constant('uint64', parts));
  }

  #address(array: FormArray, place: number, part: number): number {
    const module = this.#module;
    const memory = registersOf(array.type)[0] as Register;
    const pointer = module.declare(OP.typePointer, [
      STORAGE.crossWorkgroup,
      this.#memoryType(memory),
    ]);
    const at = part === 0 ? place : module.make(OP.iAdd, this.#type('uint64'), place, this.#constant('uint64', part)); // biome-ignore format: one line
    const base = this.#parameters.get(arrayKey(array)) as number;
    return module.make(OP.inBoundsPtrAccessChain, pointer, base, at);
  }

  #store(array: FormArray, place: number): void {
    const { registers } = this.#form.program.outputs[array.index] as {
      registers: readonly number[];
    };
    for (const [part, register] of registers.entries()) {
      const memory = registersOf(array.type)[part] as Register;
      const address = this.#address(array, place, part);
      const value = this.#results[register] as number;
      const stored = memory === 'bool' ? this.#byteOf(value) : value;
      this.#module.add('code', OP.store, address, stored, ALIGNED, bitsOf(memory) / 8);
    }
  }

  #instruction(
    instruction: Instruction,
    indices: readonly number[],
    places: ReadonlyMap<string, number>,
  ): number {
    const { operation, type, operands, value, source } = instruction;
    const module = this.#module;
    const given = operands.map((one) => this.#results[one] as number);
    const [a, b, c] = given as [number, number, number];
    const from = operands.length === 0 ? type : this.#typeOf(operands.at(-1) as number);
    const kind = isFloat(type) ? 0 : isSigned(type) ? 1 : 2;
    switch (operation) {
      case 'constant':
        return this.#constant(type, value as Value);
      case 'scalar':
        return this.#boolOf(type, this.#number(scalarName(source as number)));
      case 'index':
        return indices[source as number] as number;
      case 'load':
        return this.#loadElement(instruction, places);
      case 'select':
        return module.make(OP.select, this.#type(type), a, b, c);
      case 'convert':
        return this.#convert(from, type, a);
      case 'reinterpret':
        return module.make(OP.bitcast, this.#type(type), a);
      case 'minimum':
      case 'maximum':
        return this.#extreme(operation === 'minimum', type, a, b);
      case 'equal':
      case 'less':
      case 'lessEqual': {
        const test = TESTS[operation]?.[isFloat(from) ? 0 : isSigned(from) ? 1 : 2] as number;
        return module.make(test, this.#bool(), a, b);
      }
    }
    if (type === 'bool') return module.make(OF_BOOLS[operation] as number, this.#bool(), ...given);
    const exact = isFloat(type) ? EXACT[operation] : undefined;
    if (exact !== undefined) return this.#call(exact, type, ...given);
    return module.make(ARITHMETIC[operation]?.[kind] as number, this.#type(type), ...given);
  }

  #loadElement({ type, source, part }: Instruction, places: ReadonlyMap<string, number>): number {
    const array = this.#form.arrays.find((one) => !one.writes && one.index === source) as FormArray;
    const address = this.#address(array, places.get(arrayKey(array)) as number, part as number);
    const size = bitsOf(type) / 8;
    const loaded = this.#module.make(OP.load, this.#memoryType(type), address, ALIGNED, size);
    return this.#boolOf(type, loaded);
  }

  #extreme(isMinimum: boolean, type: Register, a: number, b: number): number {
    const module = this.#module;
    const own = this.#type(type);
    const test = TESTS.less?.[isFloat(type) ? 0 : isSigned(type) ? 1 : 2] as number;
    const isFirst = isMinimum ? module.make(test, this.#bool(), a, b) : module.make(test, this.#bool(), b, a); // biome-ignore format: one line
    if (!isFloat(type)) return module.make(OP.select, own, isFirst, a, b);
    // Equal floats differ in the sign of 0 at most: `or` has -0 if one is, `and` if both are.
    const word = type === 'float32' ? 'uint32' : 'uint64';
    const [x, y] = [a, b].map((one) => module.make(OP.bitcast, this.#type(word), one)) as [number, number]; // biome-ignore format: one line
    const bits = module.make(isMinimum ? OP.bitwiseOr : OP.bitwiseAnd, this.#type(word), x, y);
    const zero = module.make(OP.bitcast, own, bits);
    const isEqual = module.make(OP.fOrdEqual, this.#bool(), a, b);
    const others = module.make(OP.select, own, isFirst, a, b);
    const numbers = module.make(OP.select, own, isEqual, zero, others);
    const tests = [a, b].map((one) => module.make(OP.logicalNot, this.#bool(), module.make(OP.fOrdEqual, this.#bool(), one, one))); // biome-ignore format: one line
    const isAny = module.make(OP.logicalOr, this.#bool(), ...tests);
    return module.make(OP.select, own, isAny, this.#constant(type, Number.NaN), numbers);
  }

  #convert(from: Register, to: Register, a: number): number {
    const module = this.#module;
    const own = this.#type(to);
    if (from === 'bool') {
      return module.make(OP.select, own, a, this.#constant(to, 1), this.#constant(to, 0));
    }
    if (isFloat(from) && isFloat(to)) return module.make(OP.fConvert, own, a);
    if (isFloat(to)) return module.make(isSigned(from) ? OP.convertSToF : OP.convertUToF, own, a);
    if (isFloat(from)) return module.make(isSigned(to) ? OP.convertFToS : OP.convertFToU, own, a);
    if (bitsOf(from) === bitsOf(to)) return a;
    return module.make(isSigned(from) ? OP.sConvert : OP.uConvert, own, a);
  }

  #call(number: number, type: Register, ...operands: readonly number[]): number {
    return this.#module.make(OP.extInst, this.#type(type), this.#functions, number, ...operands);
  }

  #constant(type: Register, value: Value): number {
    if (type === 'bool') {
      const opcode = value === 0 ? OP.constantFalse : OP.constantTrue;
      return this.#module.declare(opcode, [], this.#bool());
    }
    return this.#module.declare(OP.constant, constantWords(type, value), this.#type(type));
  }

  #parameterType(parameter: FormParameter): number {
    if (parameter.kind === 'number') return this.#memoryType(parameter.type);
    if (parameter.kind === 'stride') return this.#type('int64');
    const memory = registersOf(parameter.array.type)[0] as Register;
    return this.#module.declare(OP.typePointer, [STORAGE.crossWorkgroup, this.#memoryType(memory)]);
  }

  #number(name: string): number {
    return this.#parameters.get(name) as number;
  }

  /** The type in memory: a bool is a byte. */
  #memoryType(type: Register): number {
    return this.#type(type === 'bool' ? 'uint8' : type);
  }

  /** SPIR-V for OpenCL has no signed types. */
  #type(type: Register): number {
    if (type === 'bool') return this.#bool();
    const bits = bitsOf(type);
    if (type === 'float64') this.#module.demand(CAPABILITY.float64);
    if (bits < 32) this.#module.demand(bits === 16 ? CAPABILITY.int16 : CAPABILITY.int8);
    if (isFloat(type)) return this.#module.declare(OP.typeFloat, [bits]);
    return this.#module.declare(OP.typeInt, [bits, 0]);
  }

  #bool(): number {
    return this.#module.declare(OP.typeBool, []);
  }

  #boolOf(type: Register, value: number): number {
    if (type !== 'bool') return value;
    return this.#module.make(OP.iNotEqual, this.#bool(), value, this.#constant('uint8', 0));
  }

  #byteOf(value: number): number {
    const [one, zero] = [this.#constant('uint8', 1), this.#constant('uint8', 0)];
    return this.#module.make(OP.select, this.#type('uint8'), value, one, zero);
  }

  #typeOf(index: number): Register {
    return (this.#form.program.instructions[index] as Instruction).type;
  }
}

function arrayKey({ writes, index }: FormArray): string {
  return `${writes ? 'o' : 'i'}${index} `;
}

function keyOf(parameter: FormParameter): string {
  if (parameter.kind === 'number') return parameter.name;
  return arrayKey(parameter.array) + (parameter.kind === 'stride' ? parameter.axis : '');
}

const view = new DataView(new ArrayBuffer(8));

/** A narrow integer takes a word, extended as a constant of an unsigned type. */
function constantWords(type: Register, value: Value): number[] {
  if (type === 'float32') view.setFloat32(0, value as number, true);
  else if (type === 'float64') view.setFloat64(0, value as number, true);
  else view.setBigUint64(0, BigInt.asUintN(bitsOf(type), BigInt(value)), true);
  const low = view.getUint32(0, true);
  return isWide(type) || type === 'float64' ? [low, view.getUint32(4, true)] : [low];
}
