import type { FormArray } from '../code/form.js';
import { SpirvWriter } from '../code/spirv.js';
import { type Program, type Register, registersOf, type Value } from '../program/instruction.js';
import { type ReduceForm, reduceIndexType, reduceParameters } from './form.js';
import { writeReduction } from './kernel-code.js';
import type { Row, Sources, Target, Variable } from './target.js';

/** Returns one launch of a reduction as a module of SPIR-V. */
export function reduceSpirv(form: ReduceForm): Uint8Array {
  const target = new SpirvTarget(form);
  writeReduction(target, form);
  return target.bytes();
}

class SpirvTarget implements Target<number> {
  readonly #writer: SpirvWriter;
  readonly #type: 'uint32' | 'uint64';
  readonly #itemAxis: number;

  constructor(form: ReduceForm) {
    this.#writer = new SpirvWriter(reduceParameters(form));
    this.#type = reduceIndexType(form);
    this.#itemAxis = Number(form.fast !== null);
  }

  bytes(): Uint8Array {
    return this.#writer.bytes();
  }

  item(): number {
    return this.#writer.item(this.#type, this.#itemAxis);
  }

  fast(): number {
    return this.#writer.globalId(0);
  }

  parameter(name: string): number {
    return this.#writer.parameter(name);
  }

  constant(type: Register, value: Value): number {
    return this.#writer.constant(type, value);
  }

  inline(program: Program, { load, scalar, index }: Sources<number>): readonly number[] {
    return this.#writer.inline(program, {
      load: load as (source: number) => number,
      scalar: scalar as (source: number) => number,
      index: index as (axis: number) => number,
    });
  }

  load(array: FormArray, place: number, part: number, type: Register): number {
    return this.#writer.read(type, this.#address(array, place, part));
  }

  store(array: FormArray, place: number, part: number, type: Register, value: number): void {
    this.#writer.write(type, this.#address(array, place, part), value);
  }

  #address(array: FormArray, place: number, part: number): number {
    const parts = registersOf(array.type).length;
    const word =
      parts === 1
        ? place
        : this.#writer.make('iMul', 'uint64', place, this.#writer.constant('uint64', parts));
    return this.#writer.address(array, word, part);
  }

  variable(type: Register, isVolatile = false): Variable<number> {
    const local = this.#writer.local(type, 1);
    const first = this.#writer.constant('uint32', 0);
    const at = () => this.#writer.localAt(type, local, first);
    return {
      get: () => this.#writer.read(type, at(), isVolatile),
      set: (value) => this.#writer.write(type, at(), value, isVolatile),
    };
  }

  row(type: Register, length: number): Row<number> {
    const local = this.#writer.local(type, length);
    return {
      get: (index) => this.#writer.read(type, this.#writer.localAt(type, local, index)),
      set: (index, value) =>
        this.#writer.write(type, this.#writer.localAt(type, local, index), value),
    };
  }

  loop(condition: () => number, body: () => void): void {
    const [head, inside, end] = [0, 0, 0].map(() => this.#writer.newLabel()) as [
      number,
      number,
      number,
    ];
    this.#writer.branch(head);
    this.#writer.label(head);
    this.#writer.branchIf(condition(), inside, end);
    this.#writer.label(inside);
    body();
    this.#writer.branch(head);
    this.#writer.label(end);
  }

  when(condition: number, body: () => void): void {
    const [inside, end] = [this.#writer.newLabel(), this.#writer.newLabel()];
    this.#writer.branchIf(condition, inside, end);
    this.#writer.label(inside);
    body();
    this.#writer.branch(end);
    this.#writer.label(end);
  }
}
