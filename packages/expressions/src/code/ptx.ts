import {
  bitsOf,
  type Instruction,
  isFloat,
  isSigned,
  isWide,
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

/** The kinds of PTX's registers: names, and types for their declarations. */
const CLASSES = { p: 'pred', r: 'b32', d: 'b64', f: 'f32', g: 'f64' } as const;
type Class = keyof typeof CLASSES;

/**
 * Returns a kernel as PTX text, for every device since sm_30. Integers of 8 and 16 bits are in
 * registers of 32, extended as their type is.
 */
export function ptxOf(form: KernelForm): string {
  return new Elementwise(form).compose();
}

/** Where what an inlined program takes is, in registers. */
export interface PtxSources {
  /** An element, or one part of a complex one, as it is in memory. */
  load(source: number, part: number, type: Register): string;
  scalar(source: number, type: Register): string;
  index(axis: number): string;
}

/** Writes the body of one function. */
export class PtxWriter {
  readonly #lines: string[] = [];
  readonly #counts: Record<Class, number> = { p: 0, r: 0, d: 0, f: 0, g: 0 };
  readonly #parameters = new Map<string, string>();
  readonly #declared: string[] = [];
  #labels = 0;
  /** The program that is inlined, and the register of each of its instructions. */
  #program: Program = { instructions: [], inputs: [], outputs: [], axes: 0 };
  #registers: string[] = [];

  constructor(parameters: readonly FormParameter[]) {
    for (const [index, parameter] of parameters.entries()) {
      const own = `${ENTRY}_param_${index}`;
      const type =
        parameter.kind === 'number'
          ? parameter.type
          : parameter.kind === 'stride'
            ? 'int64'
            : 'uint64';
      this.#parameters.set(parameterName(parameter), own);
      this.#declared.push(`\t.param .${memoryType(type)} ${own}`);
    }
  }

  /** The text of the module. `locals` declares memory of an item. */
  text(locals: readonly string[] = []): string {
    const registers = (Object.keys(CLASSES) as Class[])
      .filter((one) => this.#counts[one] > 0)
      .map((one) => `\t.reg .${CLASSES[one]} %${one}<${this.#counts[one]}>;`);
    return [
      '.version 5.0',
      '.target sm_30',
      '.address_size 64',
      '',
      `.visible .entry ${ENTRY}(`,
      this.#declared.join(',\n'),
      ')',
      '{',
      ...locals,
      ...registers,
      '',
      ...this.#lines,
      '$end:',
      '\tret;',
      '}',
      '',
    ].join('\n');
  }

  /** Adds a program, and returns the registers of its instructions. */
  inline(program: Program, sources: PtxSources): readonly string[] {
    this.#program = program;
    this.#registers = [];
    for (const one of program.instructions) this.#registers.push(this.#instruction(one, sources));
    return this.#registers;
  }

  /** Adds a line. */
  line(text: string): void {
    this.#lines.push(text);
  }

  /** Adds an instruction whose result is in a new register. */
  make(own: Class, code: string, ...operands: readonly string[]): string {
    return this.#make(own, code, ...operands);
  }

  /** Returns a new register for values of a type. */
  register(type: Register): string {
    return this.#next(classOf(type));
  }

  /** Returns the value of a parameter. */
  parameter(name: string, type: Register): string {
    return this.#number(name, type);
  }

  constant(type: Register, value: Value): string {
    return this.#constant(type, value);
  }

  /** Loads what is in memory at an address, in `space`. */
  read(type: Register, address: string, space = 'global'): string {
    const own = type === 'bool' ? 'r' : classOf(type);
    return this.#asBool(type, this.#make(own, `ld.${space}.${memoryType(type)}`, `[${address}]`));
  }

  /** Stores at an address, in `space`. */
  write(type: Register, address: string, value: string, space = 'global'): void {
    const stored = type === 'bool' ? this.#make('r', 'selp.u32', '1', '0', value) : value;
    this.#lines.push(`\tst.${space}.${memoryType(type)} [${address}], ${stored};`);
  }

  /** The item along an axis of the range. Leaves the kernel if there is none. */
  item(type: Register, axis: 'x' | 'y' = 'x'): string {
    const within = this.globalId(type, axis);
    const [first, total] = [this.#number(FIRST, type), this.#number(TOTAL, type)];
    const item = this.#make(classOf(type), `add.${suffixOf(type)}`, within, first);
    const isOutside = this.#make('p', `setp.ge.${suffixOf(type)}`, item, total);
    this.#lines.push(`\t@${isOutside} bra $end;`);
    return item;
  }

  /** The index of the thread along an axis of the launch. */
  globalId(type: Register, axis: 'x' | 'y'): string {
    const [group, size, own] = ['ctaid', 'ntid', 'tid'].map((one) =>
      this.#make('r', 'mov.u32', `%${one}.${axis}`),
    );
    const within = this.#make('r', 'mad.lo.u32', group as string, size as string, own as string);
    return type === 'uint64' ? this.#make('d', 'cvt.u64.u32', within) : within;
  }

  #instruction(
    { operation, type, operands, value, source, part }: Instruction,
    sources: PtxSources,
  ): string {
    const given = operands.map((one) => this.#registers[one] as string);
    const [a, b, c] = given as [string, string, string];
    const from = this.#typeOf(operands.at(-1));
    const [own, suffix] = [classOf(type), suffixOf(type)];
    switch (operation) {
      case 'constant':
        return this.#constant(type, value as Value);
      case 'scalar':
        return sources.scalar(source as number, type);
      case 'index':
        return sources.index(source as number);
      case 'load':
        return sources.load(source as number, part as number, type);
      case 'add':
      case 'subtract':
        return this.#wrapped(
          type,
          this.#make(
            own,
            `${operation === 'add' ? 'add' : 'sub'}${rounding(type)}.${suffix}`,
            a,
            b,
          ),
        );
      case 'multiply':
        return this.#wrapped(
          type,
          this.#make(own, `mul${isFloat(type) ? '.rn' : '.lo'}.${suffix}`, a, b),
        );
      case 'divide':
        return this.#make(own, `div.rn.${suffix}`, a, b);
      case 'squareRoot':
        return this.#make(own, `sqrt.rn.${suffix}`, a);
      case 'quotient':
        return this.#make(own, `div.${suffix}`, a, b);
      case 'remainder':
        return isFloat(type)
          ? this.#floatRemainder(type, a, b)
          : this.#make(own, `rem.${suffix}`, a, b);
      case 'negate':
        if (isFloat(type)) return this.#make(own, `neg.${suffix}`, a);
        return this.#wrapped(type, this.#make(own, `sub.${suffix}`, this.#constant(type, 0), a));
      case 'absolute':
        return this.#make(own, `abs.${suffix}`, a);
      case 'floor':
      case 'ceiling':
      case 'truncate':
      case 'roundToEven': {
        const mode = { floor: 'rmi', ceiling: 'rpi', truncate: 'rzi', roundToEven: 'rni' }[
          operation
        ];
        return this.#make(own, `cvt.${mode}.${suffix}.${suffix}`, a);
      }
      case 'minimum':
      case 'maximum': {
        const made = this.#make(own, `${operation === 'minimum' ? 'min' : 'max'}.${suffix}`, a, b);
        if (!isFloat(type)) return made;
        const isAny = this.#make('p', `setp.nan.${suffix}`, a, b);
        return this.#make(own, `selp.${suffix}`, this.#constant(type, Number.NaN), made, isAny);
      }
      case 'and':
      case 'or':
      case 'xor':
        return this.#make(own, `${operation}.${CLASSES[own]}`, a, b);
      case 'not':
        return this.#wrapped(type, this.#make(own, `not.${CLASSES[own]}`, a));
      case 'shiftLeft':
        return this.#wrapped(
          type,
          this.#make(own, `shl.${CLASSES[own]}`, a, this.#amount(type, b)),
        );
      case 'shiftRight':
        return this.#make(own, `shr.${suffix}`, a, this.#amount(type, b));
      case 'equal':
      case 'less':
      case 'lessEqual': {
        const test = { equal: 'eq', less: 'lt', lessEqual: 'le' }[operation];
        return this.#make('p', `setp.${test}.${suffixOf(from)}`, a, b);
      }
      case 'select':
        if (type !== 'bool') return this.#make(own, `selp.${CLASSES[own]}`, b, c, a);
        return this.#make(
          'p',
          'or.pred',
          this.#make('p', 'and.pred', a, b),
          this.#make('p', 'and.pred', this.#make('p', 'not.pred', a), c),
        );
      case 'convert':
        return this.#convert(from, type, a);
      case 'reinterpret':
        return this.#make(
          own,
          `mov.${CLASSES[own] === 'b32' || type === 'float32' ? 'b32' : 'b64'}`,
          a,
        );
    }
  }

  #convert(from: Register, to: Register, a: string): string {
    const own = classOf(to);
    if (from === 'bool') {
      const [one, zero] = [this.#constant(to, 1), this.#constant(to, 0)];
      return this.#make(own, `selp.${CLASSES[own]}`, one, zero, a);
    }
    const [target, source] = [suffixOf(to), suffixOf(from)];
    if (isFloat(to)) {
      const isExact = to === 'float64' && from === 'float32';
      return this.#make(own, `cvt.${isExact ? '' : 'rn.'}${target}.${source}`, a);
    }
    if (isFloat(from)) {
      const integer = bitsOf(to) < 32 ? 's32' : target;
      return this.#make(own, `cvt.rzi.${integer}.${source}`, a);
    }
    if (isWide(to) && isWide(from)) return a;
    if (isWide(to)) return this.#make(own, `cvt.${isSigned(from) ? 's64.s32' : 'u64.u32'}`, a);
    return this.#wrapped(to, isWide(from) ? this.#make(own, 'cvt.u32.u64', a) : a);
  }

  /** C's fmod, bit by bit: exact, as the others are. Skips it if the first is the smaller. */
  #floatRemainder(type: Register, x: string, y: string): string {
    const isDouble = type === 'float64';
    const [f, i] = isDouble ? (['f64', 'u64'] as const) : (['f32', 'u32'] as const);
    const [own, word] = [classOf(type), isDouble ? 'd' : 'r'] as const;
    const bits = isDouble ? 'b64' : 'b32';
    const [digits, infinity] = isDouble ? [52, '0x7FF0000000000000'] : [23, '0x7F800000'];
    const label = `$remainder${this.#labels++}`;
    const result = this.#next(own);
    const line = (text: string) => this.#lines.push(`\t${text};`);
    const [ax, ay] = [this.#make(own, `abs.${f}`, x), this.#make(own, `abs.${f}`, y)];
    const sign = this.#make(
      word,
      `and.${bits}`,
      this.#make(word, `mov.${bits}`, x),
      isDouble ? '0x8000000000000000' : '0x80000000',
    );
    const [mx, my] = [this.#next(word), this.#next(word)];
    const [ex, ey, p] = [this.#next('r'), this.#next('r'), this.#next('p')];
    line(`mov.${bits} ${mx}, ${ax}`);
    line(`mov.${bits} ${my}, ${ay}`);
    line(`mov.${f} ${result}, ${this.#constant(type, Number.NaN)}`);
    // NaN for an infinite or NaN dividend, a NaN divisor and a divisor of 0.
    line(`setp.ge.${i} ${p}, ${mx}, ${infinity}`);
    line(`@${p} bra ${label}`);
    line(`setp.gt.${i} ${p}, ${my}, ${infinity}`);
    line(`@${p} bra ${label}`);
    line(`setp.eq.${i} ${p}, ${my}, 0`);
    line(`@${p} bra ${label}`);
    line(`mov.${f} ${result}, ${x}`);
    line(`setp.lt.${i} ${p}, ${mx}, ${my}`);
    line(`@${p} bra ${label}`);
    // Exponents and digits; a subnormal number has the least exponent and no leading digit.
    for (const [exponent, mantissa] of [
      [ex, mx],
      [ey, my],
    ] as const) {
      const shifted = this.#make(word, `shr.${i}`, mantissa, String(digits));
      line(isDouble ? `cvt.u32.u64 ${exponent}, ${shifted}` : `mov.u32 ${exponent}, ${shifted}`);
      const rest = this.#make(
        word,
        `and.${bits}`,
        mantissa,
        isDouble ? '0x000FFFFFFFFFFFFF' : '0x007FFFFF',
      );
      const whole = this.#make(
        word,
        `or.${bits}`,
        rest,
        isDouble ? '0x0010000000000000' : '0x00800000',
      );
      line(`setp.eq.u32 ${p}, ${exponent}, 0`);
      line(`selp.${bits} ${mantissa}, ${rest}, ${whole}, ${p}`);
      line(`max.u32 ${exponent}, ${exponent}, 1`);
    }
    const difference = this.#next(word);
    this.#lines.push(`${label}_step:`);
    line(`setp.ge.${i} ${p}, ${mx}, ${my}`);
    line(`sub.${i} ${difference}, ${mx}, ${my}`);
    line(`selp.${bits} ${mx}, ${difference}, ${mx}, ${p}`);
    line(`setp.le.u32 ${p}, ${ex}, ${ey}`);
    line(`@${p} bra ${label}_scale`);
    line(`shl.${bits} ${mx}, ${mx}, 1`);
    line(`sub.u32 ${ex}, ${ex}, 1`);
    line(`bra ${label}_step`);
    // Back to a float: up until the leading digit is in its place, or the exponent is the least.
    this.#lines.push(`${label}_scale:`);
    line(`setp.eq.${i} ${p}, ${mx}, 0`);
    line(`@${p} bra ${label}_pack`);
    this.#lines.push(`${label}_up:`);
    line(`setp.ge.${i} ${p}, ${mx}, ${isDouble ? '0x0010000000000000' : '0x00800000'}`);
    line(`@${p} bra ${label}_pack`);
    line(`setp.le.u32 ${p}, ${ex}, 1`);
    line(`@${p} bra ${label}_pack`);
    line(`shl.${bits} ${mx}, ${mx}, 1`);
    line(`sub.u32 ${ex}, ${ex}, 1`);
    line(`bra ${label}_up`);
    this.#lines.push(`${label}_pack:`);
    // The leading digit, if there is one, adds 1 to the exponent.
    const low = this.#make('r', 'sub.u32', ex, '1');
    const place = isDouble ? this.#make('d', 'cvt.u64.u32', low) : low;
    const high = this.#make(word, `shl.${bits}`, place, String(digits));
    const size = this.#make(word, `add.${i}`, high, mx);
    line(`setp.eq.${i} ${p}, ${mx}, 0`);
    const packed = this.#make(word, `selp.${bits}`, mx, size, p);
    line(`mov.${bits} ${result}, ${this.#make(word, `or.${bits}`, packed, sign)}`);
    this.#lines.push(`${label}:`);
    return result;
  }

  #constant(type: Register, value: Value): string {
    if (type === 'bool') {
      const one = this.#make('r', 'mov.u32', String(value));
      return this.#make('p', 'setp.ne.u32', one, '0');
    }
    const own = classOf(type);
    if (isFloat(type))
      return this.#make(own, `mov.${suffixOf(type)}`, floatText(type, value as number));
    return this.#make(
      own,
      `mov.${isWide(type) ? 'b64' : 'b32'}`,
      hexOf(value, isWide(type) ? 64 : 32),
    );
  }

  #number(name: string, type: Register): string {
    return this.#load(name, type);
  }

  #load(name: string, type: Register): string {
    const own = type === 'bool' ? 'r' : classOf(type);
    const loaded = this.#make(
      own,
      `ld.param.${memoryType(type)}`,
      `[${this.#parameters.get(name)}]`,
    );
    return this.#asBool(type, loaded);
  }

  #asBool(type: Register, loaded: string): string {
    return type === 'bool' ? this.#make('p', 'setp.ne.u32', loaded, '0') : loaded;
  }

  /** Extends the low bits of a register as a small integer. */
  #wrapped(type: Register, register: string): string {
    const unused = 32 - bitsOf(type);
    if (unused <= 0 || type === 'bool') return register;
    if (!isSigned(type))
      return this.#make('r', 'and.b32', register, hexOf(2 ** bitsOf(type) - 1, 32));
    const high = this.#make('r', 'shl.b32', register, String(unused));
    return this.#make('r', 'shr.s32', high, String(unused));
  }

  /** Shifts take their amount in 32 bits. */
  #amount(type: Register, register: string): string {
    return isWide(type) ? this.#make('r', 'cvt.u32.u64', register) : register;
  }

  #typeOf(index: number | undefined): Register {
    return index === undefined ? 'int32' : (this.#program.instructions[index] as Instruction).type;
  }

  #make(own: Class, code: string, ...operands: readonly string[]): string {
    const made = this.#next(own);
    this.#lines.push(`\t${code} ${[made, ...operands].join(', ')};`);
    return made;
  }

  #next(own: Class): string {
    return `%${own}${this.#counts[own]++}`;
  }
}

class Elementwise extends PtxWriter {
  readonly #form: KernelForm;

  constructor(form: KernelForm) {
    super(parametersOf(form));
    this.#form = form;
  }

  compose(): string {
    const { program, arrays } = this.#form;
    const item = this.item(indexType(this.#form));
    const indices = this.#indices(item);
    const addresses = new Map(
      arrays.map((array) => [pointerName(array), this.#address(array, item, indices)]),
    );
    const registers = this.inline(program, {
      load: (source, part, type) => {
        const address = addresses.get(`i${source}`) as string;
        return this.read(type, part === 0 ? address : `${address}+${bitsOf(type) / 8}`);
      },
      scalar: (source, type) => this.parameter(scalarName(source), type),
      index: (axis) => indices[axis] as string,
    });
    for (const array of arrays.filter(({ writes }) => writes)) {
      this.#store(array, addresses.get(pointerName(array)) as string, registers);
    }
    return this.text();
  }

  /** The indices along the axes as int64, if code needs them. */
  #indices(item: string): string[] {
    const axes = lengthAxes(this.#form);
    const type = indexType(this.#form);
    const [own, suffix] = [classOf(type), suffixOf(type)];
    if (!usesIndices(this.#form)) return [];
    const indices: string[] = [];
    let left = item;
    for (const axis of axes.toReversed()) {
      const length = this.parameter(lengthName(axis), type);
      const above = this.make(own, `div.${suffix}`, left, length);
      indices[axis] = this.make(own, `rem.${suffix}`, left, length);
      left = above;
    }
    indices[0] = left;
    return type === 'uint64' ? indices : indices.map((one) => this.make('d', 'cvt.u64.u32', one));
  }

  #address(array: FormArray, item: string, indices: readonly string[]): string {
    const pointer = this.parameter(pointerName(array), 'uint64');
    const base = this.make('d', 'cvta.to.global.u64', pointer);
    if (array.mode === 'one') return base;
    const size = sizeOf(array);
    if (array.mode === 'dense') {
      if (!this.#form.isLong) return this.make('d', 'mad.wide.u32', item, String(size), base);
      return this.make('d', 'mad.lo.s64', item, String(size), base);
    }
    let offset = this.make('d', 'mov.u64', '0');
    for (const [axis, index] of indices.entries()) {
      const stride = this.parameter(strideName(array, axis), 'int64');
      offset = this.make('d', 'mad.lo.s64', index, stride, offset);
    }
    return this.make('d', 'mad.lo.s64', offset, String(size), base);
  }

  #store(array: FormArray, address: string, values: readonly string[]): void {
    const { registers, type } = this.#form.program.outputs[array.index] as Output;
    const memory = registersOf(type)[0] as Register;
    for (const [part, register] of registers.entries()) {
      const place = part === 0 ? address : `${address}+${(part * bitsOf(memory)) / 8}`;
      this.write(memory, place, values[register] as string);
    }
  }
}

function sizeOf({ type }: FormArray): number {
  return registersOf(type).reduce((bytes, one) => bytes + bitsOf(one) / 8, 0);
}

function classOf(type: Register): Class {
  if (type === 'bool') return 'p';
  if (isFloat(type)) return type === 'float32' ? 'f' : 'g';
  return isWide(type) ? 'd' : 'r';
}

/** The type of an operation on a register. */
function suffixOf(type: Register): string {
  if (isFloat(type)) return `f${bitsOf(type)}`;
  return `${isSigned(type) ? 's' : 'u'}${isWide(type) ? 64 : 32}`;
}

/** The type of an element in memory, or of a parameter. */
function memoryType(type: Register): string {
  if (isFloat(type)) return `f${bitsOf(type)}`;
  return `${isSigned(type) ? 's' : 'u'}${bitsOf(type)}`;
}

function rounding(type: Register): string {
  return isFloat(type) ? '.rn' : '';
}

function hexOf(value: Value, bits: number): string {
  return `0x${BigInt.asUintN(bits, BigInt(value)).toString(16).toUpperCase()}`;
}

const view = new DataView(new ArrayBuffer(8));

function floatText(type: Register, value: number): string {
  if (type === 'float32') {
    view.setFloat32(0, value);
    return `0f${view.getUint32(0).toString(16).padStart(8, '0').toUpperCase()}`;
  }
  view.setFloat64(0, value);
  return `0d${view.getBigUint64(0).toString(16).padStart(16, '0').toUpperCase()}`;
}
