import type { TypedArray } from '@array-interface/core';
import { FIRST, lengthName, scalarName, TOTAL } from '../code/form.js';
import { BLOCK, type Elements, newRegisters, prepareSteps, type Registers, type Step } from '../evaluate/run.js'; // biome-ignore format: one line
import { type Program, type Register, registersOf, type Value } from '../program/instruction.js';
import { offsetsOf, type ReduceArray, type ReduceForm, TREE } from './form.js';

type HostValue = TypedArray | Elements | number | bigint | boolean;
type HostValues = Readonly<Record<string, HostValue>>;

/** Which items of a block take part in a step. Null: all. */
type Active = Uint8Array | null;

/**
 * Computes the items of one launch in JavaScript: what `kernel-code.ts` writes for devices, for all
 * items of a block at once.
 */
export function runReduction(form: ReduceForm, values: HostValues, range: number): void {
  const [first, total] = [Number(values[FIRST]), Number(values[TOTAL])];
  const run = new Run(form, values);
  const end = first + Math.min(range, total - first);
  for (let item = first; item < end; item += BLOCK) run.block(item, Math.min(BLOCK, end - item));
}

/** A program whose steps were prepared. */
interface Prepared {
  readonly steps: readonly Step[];
  /** The registers of its outputs. */
  readonly results: readonly Registers[];
}

class Run {
  readonly #form: ReduceForm;
  readonly #lengths: readonly number[];
  readonly #tree: Readonly<Record<keyof typeof TREE, number>>;
  readonly #arrays: ReadonlyMap<ReduceArray, Elements>;
  readonly #map: Prepared;
  /** `reduce` of what was combined and an element, and of a subtree and what was combined. */
  readonly #add: Prepared;
  readonly #merge: Prepared;
  readonly #finish: Prepared;
  readonly #finishScanned: Prepared;
  /** The accumulators that were combined, and those of a subtree. */
  readonly #sum: readonly Registers[];
  readonly #subtree: readonly Registers[];
  /** Of a scan: those of an output. */
  readonly #scanned: readonly Registers[];
  /** Of each item: its element, its lane, its first leaf and the one behind its last. */
  readonly #element = new Float64Array(BLOCK);
  readonly #lane = new Float64Array(BLOCK);
  readonly #first = new Float64Array(BLOCK);
  readonly #last = new Float64Array(BLOCK);
  /** The indices along the outer, then the inner axes. */
  readonly #indices: readonly Float64Array[];
  readonly #active = new Uint8Array(BLOCK);
  #count = 0;

  constructor(form: ReduceForm, values: HostValues) {
    this.#form = form;
    const { map, reduce, finish, outer, inner, arrays } = form;
    const number = (name: string) => Number(values[name]);
    this.#tree = Object.fromEntries(Object.entries(TREE).map(([key, name]) => [key, number(name)])) as never; // biome-ignore format: one line
    const isFirst = (axis: number) => axis === 0 || axis === outer;
    this.#lengths = Array.from({ length: outer + inner }, (_, axis) => isFirst(axis) ? 1 : number(lengthName(axis))); // biome-ignore format: one line
    this.#indices = this.#lengths.map(() => new Float64Array(BLOCK));
    this.#arrays = new Map(arrays.map((one) => [one, elementsOf(one, values[one.name] as never)]));
    const scalars = form.scalars.map((_, index) => {
      const value = values[scalarName(index)] as Value | boolean;
      return typeof value === 'boolean' ? Number(value) : value;
    });
    const types = map.outputs.flatMap(({ registers }) => registers.map((one) => (map.instructions[one] as { type: Register }).type)); // biome-ignore format: one line
    this.#sum = types.map(newRegisters);
    this.#subtree = types.map(newRegisters);
    this.#scanned = types.map(newRegisters);
    const prepared = (program: Program, provide: Parameters<typeof prepareSteps>[2]): Prepared => {
      const { steps, registers } = prepareSteps(program, scalars, provide);
      const results = program.outputs.flatMap((one) => one.registers.map((own) => registers[own] as Registers)); // biome-ignore format: one line
      return { steps, results };
    };
    const over = (program: Program, operands: readonly Registers[]): Prepared => {
      const offsets = offsetsOf(program);
      const own = (source: number, part: number) => operands[(offsets[source] as number) + part];
      return prepared(program, ({ source, part }) => own(source as number, part as number) as Registers); // biome-ignore format: one line
    };
    this.#map = prepared(map, (instruction, target) => this.#load(instruction, target));
    this.#add = over(reduce, [...this.#sum, ...this.#map.results]);
    this.#merge = over(reduce, [...this.#subtree, ...this.#sum]);
    this.#finish = over(finish, this.#sum);
    this.#finishScanned = over(finish, this.#scanned);
  }

  /** Computes items in a row. */
  block(first: number, count: number): void {
    this.#count = count;
    const { isSplit, outer } = this.#form;
    const { lanes, pieces, size, leaves } = this.#tree;
    const outputs = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const item = first + i;
      const rest = isSplit ? Math.floor(item / lanes) : item;
      const start = isSplit ? (rest % pieces) * size : 0;
      outputs[i] = isSplit ? Math.floor(rest / pieces) : rest;
      this.#lane[i] = isSplit ? item % lanes : 0;
      this.#first[i] = start;
      this.#last[i] = Math.min(start + size, leaves);
    }
    this.#split(outputs, 0, outer);
    if (this.#form.isScan) {
      this.#scan(first);
      return;
    }
    if (isSplit) this.#combineLane();
    else this.#combineLanes();
    this.#store(first);
  }

  /** As `#scan` of `kernel-code.ts`. The totals before a leaf are in `subtree`. */
  #scan(first: number): void {
    const { isSplit } = this.#form;
    const { leaves, leafRows, rows } = this.#tree;
    const leaf = new Float64Array(this.#count);
    if (isSplit) {
      for (let i = 0; i < this.#count; i++) leaf[i] = (first + i) % leaves;
      this.#addTotals(first, leaf);
    }
    for (let number = 0; number < (isSplit ? 1 : leaves); number++) {
      if (!isSplit) leaf.fill(number);
      const lengths = leaf.map((one) => Math.min(leafRows, rows - one * leafRows));
      for (let i = 0; i < this.#count; i++) this.#element[i] = (leaf[i] as number) * leafRows;
      for (let row = 0; row < leafRows; row++) {
        const active = this.#rowsBeyond(row, lengths);
        if (!active.subarray(0, this.#count).includes(1)) break;
        if (row > 0) this.#nextRow(active);
        this.#split(this.#element, this.#form.outer, this.#lengths.length);
        run(this.#map, this.#count);
        if (row > 0) run(this.#add, this.#count);
        assign(this.#sum, (row === 0 ? this.#map : this.#add).results, this.#count, active);
        run(this.#merge, this.#count);
        assign(this.#scanned, this.#sum, this.#count, active);
        assign(this.#scanned, this.#merge.results, this.#count, active.map((one, i) => Number(one === 1 && (leaf[i] ?? 0) > 0))); // biome-ignore format: one line
        this.#storeScanned(active);
      }
      assign(this.#subtree, this.#scanned, this.#count, null);
    }
  }

  /** Combines the totals of the leaves before each item's. */
  #addTotals(first: number, leaf: Float64Array): void {
    const totals = [...this.#arrays].filter(([{ mode, writes }]) => mode === 'dense' && !writes);
    const most = Math.max(...leaf);
    for (let number = 0; number < Math.max(1, most); number++) {
      for (const [index, [, { elements }]] of totals.entries()) {
        const target = (number === 0 ? this.#subtree : this.#sum)[index] as Registers;
        for (let i = 0; i < this.#count; i++) target[i] = elements[first + i - (leaf[i] as number) + Math.min(number, leaf[i] as number)] as never; // biome-ignore format: one line
      }
      if (number === 0) continue;
      run(this.#merge, this.#count);
      for (let i = 0; i < this.#count; i++) this.#active[i] = Number(number < (leaf[i] as number));
      assign(this.#subtree, this.#merge.results, this.#count, this.#active);
    }
  }

  #storeScanned(active: Uint8Array): void {
    run(this.#finishScanned, this.#count);
    const results = [...this.#finishScanned.results];
    for (const [array, { elements, offset, strides }] of this.#arrays) {
      if (!array.writes) continue;
      const bases = this.#placesOf(0, offset, strides);
      for (const part of registersOf(array.type).keys()) {
        const values = results.shift() as Registers;
        for (let i = 0; i < this.#count; i++) {
          if (active[i] === 1) elements[(bases[i] as number) + part] = values[i] as never;
        }
      }
    }
  }

  #combineLanes(): void {
    const { lanes, shift } = this.#tree;
    const levels: Registers[][] = [];
    for (let number = 0; number < lanes; number++) {
      let lane = 0;
      for (let bit = 0; bit < 5; bit++) lane |= ((number >> bit) & 1) << (4 - bit);
      this.#lane.fill(lane >> shift);
      this.#combineLane();
      const isLast = number + 1 === lanes;
      this.#countUp(levels, number, isLast ? 'all' : 'none', null, this.#active);
    }
  }

  #combineLane(): void {
    const [count, lane, first, last] = [this.#count, this.#lane, this.#first, this.#last];
    const { leafRows, leaves, rows, rest, lanes } = this.#tree;
    const levels: Registers[][] = [];
    const rowCounts = new Float64Array(count);
    const [isIn, isLast] = [new Uint8Array(BLOCK), new Uint8Array(BLOCK)];
    for (let number = 0; ; number++) {
      let [least, most, inside, ends] = [Number.POSITIVE_INFINITY, 0, 0, 0];
      for (let i = 0; i < count; i++) {
        const leaf = (first[i] as number) + number;
        const isInside = leaf < (last[i] as number);
        const ownRows = rows + ((lane[i] as number) < rest ? 1 : 0) - leaf * leafRows;
        const own = isInside ? (leaf + 1 === leaves ? ownRows : leafRows) : 0;
        if (isInside) this.#element[i] = leaf * leafRows * lanes + (lane[i] as number);
        isIn[i] = Number(isInside);
        isLast[i] = Number(leaf + 1 === last[i]);
        rowCounts[i] = own;
        least = Math.min(least, own);
        most = Math.max(most, own);
        inside += isIn[i] as number;
        ends += isLast[i] as number;
      }
      if (inside === 0) return;
      for (let row = 0; row < most; row++) {
        const active = row < least ? null : this.#rowsBeyond(row, rowCounts);
        if (row > 0) this.#nextRow(active);
        this.#split(this.#element, this.#form.outer, this.#lengths.length);
        run(this.#map, count);
        if (row === 0) assign(this.#sum, this.#map.results, count, active);
        else {
          run(this.#add, count);
          assign(this.#sum, this.#add.results, count, active);
        }
      }
      const who = ends === 0 ? 'none' : ends === count ? 'all' : 'some';
      this.#countUp(levels, number, who, inside === count ? null : isIn, isLast);
    }
  }

  /** Which items have a row. */
  #rowsBeyond(row: number, rowCounts: Float64Array): Uint8Array {
    for (let i = 0; i < this.#count; i++) this.#active[i] = Number(row < (rowCounts[i] as number));
    return this.#active;
  }

  #nextRow(active: Active): void {
    const [element, { lanes }] = [this.#element, this.#tree];
    for (let i = 0; i < this.#count; i++) {
      if (active === null || active[i] === 1) element[i] = (element[i] as number) + lanes;
    }
  }

  /**
   * Adds the next subtrees to binary counters, as `kernel-code.ts` does. `isLast` says for which items
   * they are the last ones, if they are for some.
   */
  #countUp(
    levels: Registers[][],
    earlier: number,
    last: 'all' | 'none' | 'some',
    isIn: Active,
    isLast: Uint8Array,
  ): void {
    const count = this.#count;
    const both = last === 'some' ? new Uint8Array(BLOCK) : null;
    const chosen = (lastOnes: boolean): Active => {
      if (both === null) return isIn;
      for (let i = 0; i < count; i++) {
        both[i] = Number((isIn === null || isIn[i] === 1) && (isLast[i] === 1) === lastOnes);
      }
      return both;
    };
    let isCarried = true;
    let place = 0;
    for (let [level, bits] = [0, earlier]; bits > 0; level++, bits = Math.floor(bits / 2)) {
      const isSet = bits % 2 === 1;
      isCarried &&= isSet;
      if (isCarried) place = level + 1;
      if (!isSet || (!isCarried && last === 'none')) continue;
      for (const [index, one] of this.#subtree.entries()) one.set(levels[level]?.[index] as never);
      run(this.#merge, count);
      assign(this.#sum, this.#merge.results, count, isCarried ? isIn : chosen(true));
    }
    if (last === 'all') return;
    levels[place] ??= this.#sum.map((one) => one.slice() as Registers);
    assign(levels[place] as Registers[], this.#sum, count, chosen(false));
  }

  #store(first: number): void {
    const { isSplit } = this.#form;
    run(this.#finish, this.#count);
    const results = [...this.#finish.results];
    for (const [array, { elements, offset, strides }] of this.#arrays) {
      if (!array.writes) continue;
      const bases = isSplit ? null : this.#placesOf(0, offset, strides);
      for (const part of registersOf(array.type).keys()) {
        const values = results.shift() as Registers;
        for (let i = 0; i < this.#count; i++) {
          elements[bases === null ? first + i : (bases[i] as number) + part] = values[i] as never;
        }
      }
    }
  }

  /** What a `load` or an `index` of `map` does. */
  #load(
    { operation, source, part, type }: Program['instructions'][number],
    target: Registers,
  ): Step {
    const { axes, position, arrays, outer, inner } = this.#form;
    if (operation === 'index') return copyOf(this.#indices[axes[source as number] as number] as Float64Array, target); // biome-ignore format: one line
    if (source === position) return copyOf(this.#element, target);
    const array = arrays.find(({ writes, index }) => !writes && index === source) as ReduceArray;
    const { elements, offset, strides } = this.#arrays.get(array) as Elements;
    const [own, along] = [strides.slice(0, outer), strides.slice(outer)];
    const isBool = type === 'bool';
    const element = this.#element;
    return (_, count) => {
      const places = this.#placesOf(0, offset + (part as number), own);
      const stride = along[0] as number;
      if (inner === 1)
        for (let i = 0; i < count; i++) places[i] = (places[i] as number) + (element[i] as number) * stride; // biome-ignore format: one line
      else this.#addPlaces(places, outer, along);
      for (let i = 0; i < count; i++) target[i] = elements[places[i] as number] as never;
      if (isBool) for (let i = 0; i < count; i++) target[i] = Number(target[i] !== 0) as never;
    };
  }

  /** Where elements are, by the indices along axes from `first` on. */
  #placesOf(first: number, offset: number, strides: readonly number[]): Float64Array {
    const places = new Float64Array(this.#count).fill(offset);
    this.#addPlaces(places, first, strides);
    return places;
  }

  #addPlaces(places: Float64Array, first: number, strides: readonly number[]): void {
    for (const [axis, stride] of strides.entries()) {
      const indices = this.#indices[first + axis] as Float64Array;
      if (stride === 0) continue;
      for (let i = 0; i < places.length; i++) places[i] = (places[i] as number) + (indices[i] as number) * stride; // biome-ignore format: one line
    }
  }

  /** Writes the indices along axes `from` to `to` of numbers in C order. */
  #split(numbers: Float64Array, from: number, to: number): void {
    let left = numbers;
    for (let axis = to - 1; axis > from; axis--) {
      const [length, indices] = [
        this.#lengths[axis] as number,
        this.#indices[axis] as Float64Array,
      ];
      const above = new Float64Array(this.#count);
      for (let i = 0; i < above.length; i++) {
        above[i] = Math.floor((left[i] as number) / length);
        indices[i] = (left[i] as number) - (above[i] as number) * length;
      }
      left = above;
    }
    this.#indices[from]?.set(left);
  }
}

function elementsOf({ mode }: ReduceArray, given: Elements & TypedArray): Elements {
  return mode === 'strided' ? given : { elements: given, offset: 0, strides: [] };
}

function run({ steps }: Prepared, count: number): void {
  for (const step of steps) step(0, count);
}

function copyOf(numbers: Float64Array, target: Registers): Step {
  return (_, count) => {
    for (let i = 0; i < count; i++) target[i] = BigInt(numbers[i] as number) as never;
  };
}

function assign(
  target: readonly Registers[],
  source: readonly Registers[],
  count: number,
  active: Active,
): void {
  for (const [index, to] of target.entries()) {
    const from = source[index] as Registers;
    if (active === null) to.set(from as never);
    else for (let i = 0; i < count; i++) if (active[i] === 1) to[i] = from[i] as never;
  }
}
