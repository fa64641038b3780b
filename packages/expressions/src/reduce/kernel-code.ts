import { lengthName, scalarName, strideName } from '../code/form.js';
import type { Builder } from '../program/builder.js';
import { type Program, type Register, registersOf } from '../program/instruction.js';
import { offsetsOf, type ReduceArray, type ReduceForm, reduceIndexType, TREE } from './form.js';
import { compute, type Row, type Target, type Variable } from './target.js';

/** Levels of a tree of lanes: 32 lanes, and one. */
const LANE_LEVELS = 6;

/** Levels of a tree of as many leaves as indices of 32 and 64 bits can name. */
const LEVELS = { uint32: 32, uint64: 64 };

/** Writes the code of one launch of a reduction. */
export function writeReduction<V>(target: Target<V>, form: ReduceForm): void {
  new Reduction(target, form).write();
}

class Reduction<V> {
  readonly #target: Target<V>;
  readonly #form: ReduceForm;
  readonly #type: 'uint32' | 'uint64';
  /** The types of the registers of all accumulators. */
  readonly #registers: readonly Register[];
  /** What was combined until now. */
  readonly #sum: readonly Variable<V>[];
  /** The indices along the outer axes. */
  #outer: readonly V[] = [];
  /** The places of the inputs' first elements. */
  #places: ReadonlyMap<ReduceArray, V> = new Map();

  constructor(target: Target<V>, form: ReduceForm) {
    this.#target = target;
    this.#form = form;
    this.#type = reduceIndexType(form);
    this.#registers = form.map.outputs.flatMap(({ registers }) =>
      registers.map((one) => (form.map.instructions[one] as { type: Register }).type),
    );
    this.#sum = this.#registers.map((type) => target.variable(type));
  }

  write(): void {
    const { isSplit, outer, arrays } = this.#form;
    const item = this.#target.item();
    const lanes = this.#number(TREE.lanes);
    const [lane, piece, output] = isSplit
      ? this.#compute([item, lanes, this.#number(TREE.pieces)], (b, i, l, p) => {
          const rest = b.op('quotient', i, l);
          return [b.op('remainder', i, l), b.op('remainder', rest, p), b.op('quotient', rest, p)];
        })
      : [null, this.#constant(0), item];
    const lengths = Array.from({ length: outer - 1 }, (_, axis) => axis + 1);
    this.#outer = this.#indices(output, lengths);
    const placed = arrays.filter(({ mode }) => mode === 'strided');
    this.#places = new Map(placed.map((one) => [one, this.#place(one, this.#outer, 0)]));
    if (this.#form.isScan) {
      this.#scan(item, lane === null ? null : piece);
      return;
    }
    if (lane === null) this.#lanes(lanes);
    else this.#lane(lane, piece);
    this.#finish(this.#values(), (one) =>
      isSplit ? this.#wide(item) : this.#place(one, this.#outer, 0),
    );
  }

  /** Combines and stores the elements of a leaf, behind the totals of those before it, or of all. */
  #scan(item: V, leaf: V | null): void {
    const before = this.#registers.map((type) => this.#target.variable(type));
    if (leaf !== null) {
      this.#addTotals(item, leaf, before);
      this.#scanLeaf(leaf, before);
      return;
    }
    const number = this.#index(this.#constant(0));
    this.#target.loop(
      () => this.#test('less', number.get(), this.#number(TREE.leaves)),
      () => {
        this.#scanLeaf(number.get(), before);
        number.set(this.#next(number.get()));
      },
    );
  }

  /** Combines the totals of the leaves before one. Of the first, what it leaves is not used. */
  #addTotals(item: V, leaf: V, before: readonly Variable<V>[]): void {
    const [first] = this.#compute([item, leaf], (b, i, l) => [b.op('subtract', i, l)]);
    const totals = this.#form.arrays.filter(({ mode, writes }) => mode === 'dense' && !writes);
    const at = (number: V) =>
      totals.map((one, index) =>
        this.#target.load(one, this.#wide(number), 0, this.#registers[index] as Register),
      );
    set(before, at(first));
    const number = this.#index(this.#next(first));
    this.#target.loop(
      () => this.#test('less', number.get(), item),
      () => {
        this.#combine(valuesOf(before), at(number.get()), before);
        number.set(this.#next(number.get()));
      },
    );
  }

  #scanLeaf(leaf: V, before: readonly Variable<V>[]): void {
    const sizes = [leaf, this.#number(TREE.leafRows), this.#number(TREE.rows)];
    const [start, end] = this.#compute(sizes, (b, l, size, rows) => {
      const from = b.op('multiply', l, size);
      return [from, b.op('minimum', b.op('add', from, size), rows)];
    });
    const after = this.#registers.map((type) => this.#target.variable(type));
    const [none, row] = [this.#constant(0), this.#index(start)];
    this.#target.loop(
      () => this.#test('less', row.get(), end),
      () => {
        const own = row.get();
        const mapped = this.#map(own, none);
        this.#target.when(this.#test('equal', own, start), () => set(this.#sum, mapped));
        this.#target.when(this.#test('less', start, own), () =>
          this.#combine(this.#values(), mapped),
        );
        set(after, this.#values());
        this.#target.when(this.#test('less', none, leaf), () =>
          this.#combine(valuesOf(before), this.#values(), after),
        );
        this.#finish(valuesOf(after), (one) =>
          this.#place(one, [this.#wide(own)], this.#form.outer),
        );
        row.set(this.#next(own));
      },
    );
    set(before, valuesOf(after));
  }

  /** Combines all lanes, in the order in which a binary counter combines halves. */
  #lanes(lanes: V): void {
    const rows = this.#registers.map((type) => this.#target.row(type, LANE_LEVELS));
    const number = this.#index(this.#constant(0));
    this.#target.loop(
      () => this.#test('less', number.get(), lanes),
      () => {
        const own = number.get();
        this.#lane(this.#reversed(own), this.#constant(0));
        const [next] = this.#compute([own], (b, n) => [b.op('add', n, b.constant(this.#type, 1))]);
        this.#count(rows, own, this.#isSame(next, lanes));
        number.set(next);
      },
    );
  }

  /** The five bits of a number, reversed, as far as there are lanes. */
  #reversed(number: V): V {
    const type = this.#type;
    const [lane] = this.#compute([number, this.#number(TREE.shift)], (b, n, shift) => {
      let reversed = b.constant(type, 0);
      for (let bit = 0; bit < 5; bit++) {
        const [mask, by] = [b.constant(type, 1 << bit), b.constant(type, Math.abs(4 - 2 * bit))];
        const own = b.op('and', n, mask);
        reversed = b.op('or', reversed, b.op(bit < 2 ? 'shiftLeft' : 'shiftRight', own, by));
      }
      return [b.op('shiftRight', reversed, shift)];
    });
    return lane;
  }

  /** Combines the leaves of a piece of a lane. */
  #lane(lane: V, piece: V): void {
    const type = this.#type;
    const levels = this.#registers.map((one) => this.#target.row(one, LEVELS[type]));
    const [leafRows, leaves] = [this.#number(TREE.leafRows), this.#number(TREE.leaves)];
    const [first, last] = this.#compute([piece, this.#number(TREE.size), leaves], (b, p, s, l) => {
      const from = b.op('multiply', p, s);
      return [from, b.op('minimum', b.op('add', from, s), l)];
    });
    const rest = [lane, this.#number(TREE.rest), this.#number(TREE.rows)];
    const [lastRow] = this.#compute(rest, (b, l, t, rows) => [
      b.op('add', rows, b.convert(b.test('less', l, t), type)),
    ]);
    const leaf = this.#index(first);
    const row = this.#target.variable(type);
    this.#target.loop(
      () => this.#test('less', leaf.get(), last),
      () => {
        const own = leaf.get();
        const [start, next] = this.#compute([own, leafRows], (b, l, r) => [
          b.op('multiply', l, r),
          b.op('add', l, b.constant(type, 1)),
        ]);
        const [end, second] = this.#compute(
          [start, next, leafRows, leaves, lastRow],
          (b, s, n, r, l, e) => [
            b.select(b.test('equal', n, l), e, b.op('add', s, r)),
            b.op('add', s, b.constant(type, 1)),
          ],
        );
        set(this.#sum, this.#map(start, lane));
        row.set(second);
        this.#target.loop(
          () => this.#test('less', row.get(), end),
          () => {
            const mapped = this.#map(row.get(), lane);
            this.#combine(this.#values(), mapped);
            const [following] = this.#compute([row.get()], (b, r) => [
              b.op('add', r, b.constant(type, 1)),
            ]);
            row.set(following);
          },
        );
        const [number] = this.#compute([own, first], (b, l, f) => [b.op('subtract', l, f)]);
        this.#count(levels, number, this.#isSame(next, last));
        leaf.set(next);
      },
    );
  }

  /**
   * Adds the next subtree to a binary counter, whose level n has a subtree of 2^n if bit n of the
   * number of earlier ones is set. The last one takes all levels with it.
   */
  #count(levels: readonly Row<V>[], earlier: V, isLast: V): void {
    const type = this.#type;
    const bits = this.#index(earlier);
    const level = this.#index(this.#constant(0));
    this.#target.loop(
      () => {
        const [goesOn] = this.#compute([bits.get(), isLast], (b, one, all) => [
          b.op(
            'and',
            b.op('not', b.test('equal', one, b.constant(type, 0))),
            b.op(
              'not',
              b.test(
                'equal',
                b.op('and', b.op('or', one, all), b.constant(type, 1)),
                b.constant(type, 0),
              ),
            ),
          ),
        ]);
        return goesOn;
      },
      () => {
        const [isSet] = this.#compute([bits.get()], (b, one) => [
          b.test('equal', b.op('and', one, b.constant(type, 1)), b.constant(type, 1)),
        ]);
        this.#target.when(isSet, () => {
          const own = level.get();
          this.#combine(
            levels.map((row) => row.get(own)),
            this.#values(),
          );
        });
        const [others, next] = this.#compute([bits.get(), level.get()], (b, one, own) => [
          b.op('shiftRight', one, b.constant(type, 1)),
          b.op('add', own, b.constant(type, 1)),
        ]);
        bits.set(others);
        level.set(next);
      },
    );
    this.#target.when(this.#test('equal', isLast, this.#constant(0)), () => {
      const own = level.get();
      const values = this.#values();
      for (const [index, row] of levels.entries()) row.set(own, values[index] as V);
    });
  }

  /** The accumulators of an element. */
  #map(row: V, lane: V): V[] {
    const { map, axes, position, outer, inner, arrays } = this.#form;
    const target = this.#target;
    const [element] = this.#compute([row, this.#number(TREE.lanes), lane], (b, r, n, l) => [
      b.op('add', b.op('multiply', r, n), l),
    ]);
    const lengths = Array.from({ length: inner - 1 }, (_, axis) => outer + axis + 1);
    const own = this.#indices(element, lengths);
    const inputs = arrays.filter(({ writes, mode }) => !writes && mode === 'strided');
    const places = new Map(
      inputs.map((one) => [one.index, { one, place: this.#place(one, own, outer) }]),
    );
    const signed = (index: V): V =>
      compute(target, [['uint64', index]], (b, i) => [b.convert(i, 'int64')])[0];
    const indices = [...this.#outer, ...own].map(signed);
    const number = position < 0 ? null : signed(this.#wide(element));
    const values = target.inline(map, {
      load: (source, part, type) => {
        if (source === position) return number as V;
        const { one, place } = places.get(source) as { one: ReduceArray; place: V };
        return target.load(one, place, part, type);
      },
      scalar: (source, type) => target.parameter(scalarName(source), type),
      index: (axis) => indices[axes[axis] as number] as V,
    });
    return resultsOf(map, values);
  }

  /** Combines two sets of accumulators. */
  #combine(
    first: readonly V[],
    second: readonly V[],
    into: readonly Variable<V>[] = this.#sum,
  ): void {
    const { reduce } = this.#form;
    const operands = [...first, ...second];
    const offsets = offsetsOf(reduce);
    const values = this.#target.inline(reduce, {
      load: (source, part) => operands[(offsets[source] as number) + part] as V,
      scalar: (source, type) => this.#target.parameter(scalarName(source), type),
    });
    set(into, resultsOf(reduce, values));
  }

  /** Stores what `finish` makes of accumulators. */
  #finish(sums: readonly V[], placeOf: (array: ReduceArray) => V): void {
    const { finish, arrays } = this.#form;
    const target = this.#target;
    const offsets = offsetsOf(finish);
    const values = target.inline(finish, {
      load: (source, part) => sums[(offsets[source] as number) + part] as V,
      scalar: (source, type) => target.parameter(scalarName(source), type),
    });
    for (const array of arrays.filter(({ writes }) => writes)) {
      const place = placeOf(array);
      const { registers, type } = finish.outputs[array.index] as Program['outputs'][number];
      const memory = registersOf(type)[0] as Register;
      for (const [part, register] of registers.entries()) {
        target.store(array, place, part, memory, values[register] as V);
      }
    }
  }

  /** The indices along some axes as uint64. `lengths` are those of all but the first. */
  #indices(number: V, lengths: readonly number[]): V[] {
    const indices: V[] = [];
    let left = number;
    for (const axis of lengths.toReversed()) {
      const [index, above] = this.#compute([left, this.#number(lengthName(axis))], (b, n, l) => [
        b.op('remainder', n, l),
        b.op('quotient', n, l),
      ]);
      indices.unshift(index);
      left = above;
    }
    return [left, ...indices].map((one) => this.#wide(one));
  }

  /** Where the elements at indices are, from `first` on: the axis of the first index. */
  #place(array: ReduceArray, indices: readonly V[], first: number): V {
    const start = first === 0 ? undefined : this.#places.get(array);
    let place = start ?? this.#target.constant('uint64', 0);
    for (const [number, index] of indices.entries()) {
      const axis = first + number;
      const known = array.strides[axis];
      if (known === 0) continue;
      const operands: [Register, V][] = [
        ['uint64', place],
        ['uint64', index],
      ];
      if (known === null)
        operands.push(['int64', this.#target.parameter(strideName(array, axis), 'int64')]);
      [place] = compute(this.#target, operands, (b, p, i, s) => [
        b.op(
          'add',
          p as number,
          s === undefined ? (i as number) : b.op('multiply', i as number, b.convert(s, 'uint64')),
        ),
      ]);
    }
    return place;
  }

  #values(): V[] {
    return valuesOf(this.#sum);
  }

  #number(name: string): V {
    return this.#target.parameter(name, this.#type);
  }

  #constant(value: number): V {
    return this.#target.constant(this.#type, value);
  }

  /** The index behind another. */
  #next(index: V): V {
    return this.#compute([index], (b, one) => [b.op('add', one, b.constant(this.#type, 1))])[0];
  }

  /** A variable for an index. */
  #index(value: V): Variable<V> {
    const made = this.#target.variable(this.#type);
    made.set(value);
    return made;
  }

  #wide(index: V): V {
    return compute(this.#target, [[this.#type, index]], (b, i) => [b.convert(i, 'uint64')])[0];
  }

  #test(test: 'less' | 'equal', x: V, y: V): V {
    return this.#compute([x, y], (b, a, c) => [b.test(test, a, c)])[0];
  }

  /** 1 if two indices are equal, else 0. */
  #isSame(x: V, y: V): V {
    return this.#compute([x, y], (b, a, c) => [b.convert(b.test('equal', a, c), this.#type)])[0];
  }

  #compute<const R extends readonly number[]>(
    operands: readonly V[],
    build: (b: Builder, ...operands: number[]) => R,
  ): { [K in keyof R]: V } {
    return compute(
      this.#target,
      operands.map((one) => [this.#type, one]),
      build,
    );
  }
}

/** The values of the registers of a program's outputs. */
function resultsOf<V>({ outputs }: Program, values: readonly V[]): V[] {
  return outputs.flatMap(({ registers }) => registers.map((one) => values[one] as V));
}

function valuesOf<V>(variables: readonly Variable<V>[]): V[] {
  return variables.map((one) => one.get());
}

function set<V>(variables: readonly Variable<V>[], values: readonly V[]): void {
  for (const [index, one] of variables.entries()) one.set(values[index] as V);
}
