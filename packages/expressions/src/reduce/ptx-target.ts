import { type FormArray, pointerName } from '../code/form.js';
import { PtxWriter } from '../code/ptx.js';
import {
  bitsOf,
  type Program,
  type Register,
  registersOf,
  type Value,
} from '../program/instruction.js';
import { type ReduceForm, reduceIndexType, reduceParameters } from './form.js';
import { writeReduction } from './kernel-code.js';
import type { Row, Sources, Target, Variable } from './target.js';

/** Returns one launch of a reduction as PTX text. */
export function reducePtx(form: ReduceForm): string {
  const target = new PtxTarget(form);
  writeReduction(target, form);
  return target.text();
}

class PtxTarget implements Target<string> {
  readonly #writer: PtxWriter;
  readonly #type: 'uint32' | 'uint64';
  readonly #itemAxis: 'x' | 'y';
  readonly #locals: string[] = [];
  #labels = 0;

  constructor(form: ReduceForm) {
    this.#writer = new PtxWriter(reduceParameters(form));
    this.#type = reduceIndexType(form);
    this.#itemAxis = form.fast === null ? 'x' : 'y';
  }

  text(): string {
    return this.#writer.text(this.#locals);
  }

  item(): string {
    const item = this.#writer.item(this.#type, this.#itemAxis);
    return this.#type === 'uint64' ? item : this.#writer.make('d', 'cvt.u64.u32', item);
  }

  fast(): string {
    return this.#writer.globalId('uint64', 'x');
  }

  parameter(name: string, type: Register): string {
    return this.#writer.parameter(name, type);
  }

  constant(type: Register, value: Value): string {
    return this.#writer.constant(type, value);
  }

  inline(program: Program, { load, scalar, index }: Sources<string>): readonly string[] {
    return this.#writer.inline(program, {
      load: load as (source: number) => string,
      scalar: scalar as (source: number) => string,
      index: index as (axis: number) => string,
    });
  }

  load(array: FormArray, place: string, part: number, type: Register): string {
    return this.#writer.read(type, this.#address(array, place, part));
  }

  store(array: FormArray, place: string, part: number, type: Register, value: string): void {
    this.#writer.write(type, this.#address(array, place, part), value);
  }

  #address(array: FormArray, place: string, part: number): string {
    const registers = registersOf(array.type);
    const size = bitsOf(registers[0] as Register) / 8;
    const pointer = this.#writer.parameter(pointerName(array), 'uint64');
    const base = this.#writer.make('d', 'cvta.to.global.u64', pointer);
    const whole = String(size * registers.length);
    const address = this.#writer.make('d', 'mad.lo.s64', place, whole, base);
    return part === 0 ? address : `${address}+${part * size}`;
  }

  variable(type: Register): Variable<string> {
    const own = this.#writer.register(type);
    const kind =
      type === 'bool'
        ? 'pred'
        : type.startsWith('float')
          ? `f${bitsOf(type)}`
          : `b${Math.max(32, bitsOf(type))}`;
    return {
      // A copy: the variable may change before the value is used.
      get: () => {
        const copy = this.#writer.register(type);
        this.#writer.line(`\tmov.${kind} ${copy}, ${own};`);
        return copy;
      },
      set: (value) => this.#writer.line(`\tmov.${kind} ${own}, ${value};`),
    };
  }

  row(type: Register, length: number): Row<string> {
    const name = `$row${this.#locals.length}`;
    const size = bitsOf(type) / 8;
    this.#locals.push(`\t.local .align 8 .b8 ${name}[${length * size}];`);
    const at = (index: string) => {
      const base = this.#writer.make('d', 'mov.u64', name);
      const code = this.#type === 'uint64' ? 'mad.lo.s64' : 'mad.wide.u32';
      return this.#writer.make('d', code, index, String(size), base);
    };
    return {
      get: (index) => this.#writer.read(type, at(index), 'local'),
      set: (index, value) => this.#writer.write(type, at(index), value, 'local'),
    };
  }

  loop(condition: () => string, body: () => void): void {
    const label = `$loop${this.#labels++}`;
    this.#writer.line(`${label}:`);
    this.#writer.line(`\t@!${condition()} bra ${label}_end;`);
    body();
    this.#writer.line(`\tbra ${label};`);
    this.#writer.line(`${label}_end:`);
  }

  when(condition: string, body: () => void): void {
    const label = `$when${this.#labels++}`;
    this.#writer.line(`\t@!${condition} bra ${label};`);
    body();
    this.#writer.line(`${label}:`);
  }
}
