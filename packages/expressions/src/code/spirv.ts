import {
  bitsOf,
  type Instruction,
  isFloat,
  isSigned,
  isWide,
  type Operation,
  type Output,
  type Program,
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
  parameterName,
  parametersOf,
  pointerName,
  scalarName,
  strideName,
  TOTAL,
  usesIndices,
} from './form.js';
import { SpirvModule, textWords } from './spirv-module.js';

// Numbers of the SPIR-V specification 1.0 and of its OpenCL instructions.
const CAPABILITY = { addresses: 4, kernel: 6, float64: 10, int64: 11, int16: 22, int8: 39 };
const STORAGE = { input: 1, crossWorkgroup: 5, function: 7 };
const PHYSICAL_64 = 2;
const OPENCL = 2;
const KERNEL_MODEL = 6;
const CONTRACTION_OFF = 31;
const GLOBAL_INVOCATION_ID = 28;
const DECORATION = { builtIn: 11, constant: 22 };
const ALIGNED = 2;
const VOLATILE = 1;

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
  typeArray: 28,
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
  inBoundsAccessChain: 66,
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
  return new Elementwise(form).compose();
}

/** Where what an inlined program takes is: ids. */
export interface SpirvSources {
  /** An element, or one part of a complex one. */
  load(source: number, part: number, type: Register): number;
  scalar(source: number, type: Register): number;
  index(axis: number): number;
}

/** Writes a module of one function. */
export class SpirvWriter {
  readonly #module = new SpirvModule();
  readonly #functions: number;
  readonly #parameters = new Map<string, number>();
  readonly #global: number;
  readonly #end: number;
  /** The program that is inlined, and the id of each result. */
  #program: Program = { instructions: [], inputs: [], outputs: [], axes: 0 };
  #results: number[] = [];

  constructor(parameters: readonly FormParameter[]) {
    const module = this.#module;
    const { addresses, kernel, int64 } = CAPABILITY;
    for (const one of [addresses, kernel, int64]) module.demand(one);
    this.#functions = module.id();
    module.add('imports', OP.extInstImport, this.#functions, ...textWords('OpenCL.std'));
    module.add('model', OP.memoryModel, PHYSICAL_64, OPENCL);
    const types = parameters.map((one) => this.#parameterType(one));
    const nothing = module.declare(OP.typeVoid, []);
    const type = module.declare(OP.typeFunction, [nothing, ...types]);
    const own = module.id();
    this.#global = this.#declareGlobalId();
    module.add('entries', OP.entryPoint, KERNEL_MODEL, own, ...textWords(ENTRY), this.#global);
    module.add('modes', OP.executionMode, own, CONTRACTION_OFF);
    module.add('head', OP.function, nothing, own, 0, type);
    for (const [index, one] of parameters.entries()) {
      const id = module.id();
      module.add('head', OP.functionParameter, types[index] as number, id);
      this.#parameters.set(parameterName(one), id);
    }
    module.add('head', OP.label, module.id());
    this.#end = module.id();
  }

  /** The bytes of the module. */
  bytes(): Uint8Array {
    const module = this.#module;
    this.branch(this.#end);
    this.label(this.#end);
    module.add('code', OP.return);
    module.add('code', OP.functionEnd);
    return module.bytes();
  }

  /** Adds a program, and returns the ids of its results. */
  inline(program: Program, sources: SpirvSources): readonly number[] {
    this.#program = program;
    this.#results = [];
    for (const one of program.instructions) this.#results.push(this.#instruction(one, sources));
    return this.#results;
  }

  /**
   * The item along an axis of the range, the fastest first, as a uint64. Leaves the kernel if there is
   * none. Indices of 32 bits could wrap around, so compilers for CPUs would load the elements of
   * neighbouring items one by one.
   */
  item(type: Register, axis = 0): number {
    const module = this.#module;
    const wide = (name: string) => {
      const number = this.#number(name);
      return type === 'uint64' ? number : this.make('uConvert', 'uint64', number);
    };
    const item = this.make('iAdd', 'uint64', this.globalId(axis), wide(FIRST));
    const isInside = this.make('uLessThan', 'bool', item, wide(TOTAL));
    const inside = module.id();
    module.add('code', OP.selectionMerge, this.#end, 0);
    this.branchIf(isInside, inside, this.#end);
    this.label(inside);
    return item;
  }

  /** The index along an axis of the range, as a uint64. */
  globalId(axis: number): number {
    const module = this.#module;
    const vector = module.declare(OP.typeVector, [this.#type('uint64'), 3]);
    const ids = module.make(OP.load, vector, this.#global, ALIGNED, 32);
    return this.make('compositeExtract', 'uint64', ids, axis);
  }

  /** Adds an instruction whose result has a type. */
  make(operation: keyof typeof OP, type: Register, ...operands: readonly number[]): number {
    return this.#module.make(OP[operation], this.#type(type), ...operands);
  }

  /** Returns the value of a parameter. */
  parameter(name: string): number {
    return this.#number(name);
  }

  constant(type: Register, value: Value): number {
    return this.#constant(type, value);
  }

  /** Returns the address of an element, in words of the memory of an array. */
  address(array: FormArray, place: number, part: number): number {
    const memory = registersOf(array.type)[0] as Register;
    const pointer = this.#module.declare(OP.typePointer, [
      STORAGE.crossWorkgroup,
      this.#memoryType(memory),
    ]);
    const at =
      part === 0 ? place : this.make('iAdd', 'uint64', place, this.#constant('uint64', part));
    const base = this.#number(pointerName(array));
    return this.#module.make(OP.inBoundsPtrAccessChain, pointer, base, at);
  }

  /** Loads what is in memory at an address. No compiler guesses what is there if it is volatile. */
  read(type: Register, address: number, isVolatile = false): number {
    const loaded = this.#module.make(
      OP.load,
      this.#memoryType(type),
      address,
      ALIGNED | (isVolatile ? VOLATILE : 0),
      bitsOf(type) / 8,
    );
    return this.#boolOf(type, loaded);
  }

  /** Stores at an address. */
  write(type: Register, address: number, value: number, isVolatile = false): void {
    const stored = type === 'bool' ? this.#byteOf(value) : value;
    const access = ALIGNED | (isVolatile ? VOLATILE : 0);
    this.#module.add('code', OP.store, address, stored, access, bitsOf(type) / 8);
  }

  /** Returns the address of memory of the item, with room for `length` values. */
  local(type: Register, length: number): number {
    const module = this.#module;
    const count = module.declare(OP.constant, [length], module.declare(OP.typeInt, [32, 0]));
    const array = module.declare(OP.typeArray, [this.#memoryType(type), count]);
    const pointer = module.declare(OP.typePointer, [STORAGE.function, array]);
    const id = module.id();
    module.add('variables', OP.variable, pointer, id, STORAGE.function);
    return id;
  }

  /** Returns the address of a value of such memory. */
  localAt(type: Register, local: number, index: number): number {
    const pointer = this.#module.declare(OP.typePointer, [
      STORAGE.function,
      this.#memoryType(type),
    ]);
    return this.#module.make(OP.inBoundsAccessChain, pointer, local, index);
  }

  newLabel(): number {
    return this.#module.id();
  }

  label(label: number): void {
    this.#module.add('code', OP.label, label);
  }

  branch(label: number): void {
    this.#module.add('code', OP.branch, label);
  }

  branchIf(condition: number, whenTrue: number, whenFalse: number): void {
    this.#module.add('code', OP.branchConditional, condition, whenTrue, whenFalse);
  }

  #declareGlobalId(): number {
    const module = this.#module;
    const vector = module.declare(OP.typeVector, [this.#type('uint64'), 3]);
    const pointer = module.declare(OP.typePointer, [STORAGE.input, vector]);
    const variable = module.declare(OP.variable, [STORAGE.input], pointer);
    module.add('decorations', OP.decorate, variable, DECORATION.builtIn, GLOBAL_INVOCATION_ID);
    module.add('decorations', OP.decorate, variable, DECORATION.constant);
    return variable;
  }

  #instruction(
    { operation, type, operands, value, source, part }: Instruction,
    sources: SpirvSources,
  ): number {
    const module = this.#module;
    const given = operands.map((one) => this.#results[one] as number);
    const [a, b, c] = given as [number, number, number];
    const from = operands.length === 0 ? type : this.#typeOf(operands.at(-1) as number);
    const kind = isFloat(type) ? 0 : isSigned(type) ? 1 : 2;
    switch (operation) {
      case 'constant':
        return this.#constant(type, value as Value);
      case 'scalar':
        return this.#boolOf(type, sources.scalar(source as number, type));
      case 'index':
        return sources.index(source as number);
      case 'load':
        return sources.load(source as number, part as number, type);
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
    if (operation === 'squareRoot') return this.#call(exact as number, type, this.#rooted(type, a));
    if (exact !== undefined) return this.#call(exact, type, ...given);
    return module.make(ARITHMETIC[operation]?.[kind] as number, this.#type(type), ...given);
  }

  /**
   * NaN for a number without a root. Compilers know which numbers have one, and take a test of the
   * root for NaN as one of the number: they would keep the sign that the processor gives a NaN.
   */
  #rooted(type: Register, a: number): number {
    const module = this.#module;
    const hasRoot = module.make(OP.fOrdLessThanEqual, this.#bool(), this.#constant(type, 0), a);
    return module.make(OP.select, this.#type(type), hasRoot, a, this.#constant(type, Number.NaN));
  }

  #extreme(isMinimum: boolean, type: Register, a: number, b: number): number {
    const module = this.#module;
    const own = this.#type(type);
    const test = TESTS.less?.[isFloat(type) ? 0 : isSigned(type) ? 1 : 2] as number;
    const isFirst = isMinimum
      ? module.make(test, this.#bool(), a, b)
      : module.make(test, this.#bool(), b, a);
    if (!isFloat(type)) return module.make(OP.select, own, isFirst, a, b);
    // Equal floats differ in the sign of 0 at most: `or` has -0 if one is, `and` if both are.
    const word = type === 'float32' ? 'uint32' : 'uint64';
    const [x, y] = [a, b].map((one) => module.make(OP.bitcast, this.#type(word), one)) as [
      number,
      number,
    ];
    const bits = module.make(isMinimum ? OP.bitwiseOr : OP.bitwiseAnd, this.#type(word), x, y);
    const zero = module.make(OP.bitcast, own, bits);
    const isEqual = module.make(OP.fOrdEqual, this.#bool(), a, b);
    const others = module.make(OP.select, own, isFirst, a, b);
    const numbers = module.make(OP.select, own, isEqual, zero, others);
    const tests = [a, b].map((one) =>
      module.make(OP.logicalNot, this.#bool(), module.make(OP.fOrdEqual, this.#bool(), one, one)),
    );
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
    return (this.#program.instructions[index] as Instruction).type;
  }
}

class Elementwise extends SpirvWriter {
  readonly #form: KernelForm;

  constructor(form: KernelForm) {
    super(parametersOf(form));
    this.#form = form;
  }

  compose(): Uint8Array {
    const { program, arrays } = this.#form;
    const type = indexType(this.#form);
    const item = this.item(type);
    const indices = this.#indices(item, type);
    const places = new Map(
      arrays.map((array) => [pointerName(array), this.#place(array, item, indices)]),
    );
    const results = this.inline(program, {
      load: (source, part, own) => {
        const array = arrays.find((one) => !one.writes && one.index === source) as FormArray;
        return this.read(own, this.address(array, places.get(pointerName(array)) as number, part));
      },
      scalar: (source) => this.parameter(scalarName(source)),
      index: (axis) => indices[axis] as number,
    });
    for (const array of arrays.filter(({ writes }) => writes)) {
      this.#store(array, places.get(pointerName(array)) as number, results);
    }
    return this.bytes();
  }

  /** The indices along the axes as int64, if code needs them. */
  #indices(item: number, type: Register): number[] {
    if (!usesIndices(this.#form)) return [];
    const axes = lengthAxes(this.#form);
    const indices: number[] = [];
    let left = type === 'uint64' ? item : this.make('uConvert', type, item);
    for (const axis of axes.toReversed()) {
      const length = this.parameter(lengthName(axis));
      indices[axis] = this.make('uMod', type, left, length);
      left = this.make('uDiv', type, left, length);
    }
    indices[0] = left;
    if (type === 'uint64') return indices;
    return indices.map((one) => this.make('uConvert', 'uint64', one));
  }

  /** The index of the item's element, in words of the array's memory. */
  #place(array: FormArray, item: number, indices: readonly number[]): number {
    const parts = registersOf(array.type).length;
    let place = this.constant('uint64', 0);
    if (array.mode === 'dense') {
      place = item;
    } else if (array.mode === 'strided') {
      for (const [axis, index] of indices.entries()) {
        const stride = this.parameter(strideName(array, axis));
        place = this.make('iAdd', 'uint64', place, this.make('iMul', 'uint64', index, stride));
      }
    }
    return parts === 1 ? place : this.make('iMul', 'uint64', place, this.constant('uint64', parts));
  }

  #store(array: FormArray, place: number, results: readonly number[]): void {
    const { registers } = this.#form.program.outputs[array.index] as Output;
    for (const [part, register] of registers.entries()) {
      const memory = registersOf(array.type)[part] as Register;
      this.write(memory, this.address(array, place, part), results[register] as number);
    }
  }
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
