import { lengthName, scalarName, strideName } from '../code/form.js';
import type { Builder } from '../program/builder.js';
import { type Program, type Register, registersOf } from '../program/instruction.js';
import {
  type KnownStride,
  offsetsOf,
  type ReduceArray,
  type ReduceForm,
  reduceIndexType,
  TREE,
} from './form.js';
import { compute, type Row, type Target, type Variable } from './target.js';

/** Levels of a tree of lanes: 32 lanes, and one. */
const LANE_LEVELS = 6;

/** Levels of a tree of as many leaves as indices of 32 and 64 bits can name. */
const LEVELS = { uint32: 32, uint64: 64 };

/** Writes the code of one launch of a reduction. */
export function writeReduction<V>(target: Target<V>, form: ReduceForm): void {
  new Reduction(target, form).write();
}

/** A way through the elements of a lane, row after row. */
interface Walk<V> {
  /** Where the element is in each input. */
  places(): (readonly [ReduceArray, V])[];
  /** Its indices along the inner axes, and its index in the tree, as uint64. */
  indices(): V[];
  element(): V;
  goOn(): void;
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
    this.#sum = this.#accumulators();
  }

  /**
   * Variables of all accumulators. If all elements are the same, Intel's compiler for CPUs takes a sum
   * of them for an induction, and leaves out the first: the variables are volatile then.
   */
  #accumulators(): Variable<V>[] {
    const areSame = !this.#form.map.instructions.some(
      ({ operation }) => operation === 'load' || operation === 'index',
    );
    return this.#registers.map((type) => this.#target.variable(type, areSame));
  }

  write(): void {
    if (this.#form.fast !== 'outputs') {
      this.#write(this.#target.item(), this.#target.constant('uint64', 0));
      return;
    }
    const [item, column] = [this.#target.item(), this.#target.fast()];
    const columns = this.#number(lengthName(this.#form.outer - 1));
    this.#target.when(this.#test('less', this.#short(column), columns), () =>
      this.#write(item, column),
    );
  }

  #write(item: V, column: V): void {
    const { isSplit, hasOneLane, isScan, arrays } = this.#form;
    const { lane, piece, outer, part } = this.#split(item, column);
    this.#outer = outer;
    const placed = arrays.filter(({ mode }) => mode === 'strided');
    this.#places = new Map(placed.map((one) => [one, this.#place(one, outer, 0)]));
    if (isScan) {
      this.#scan(this.#short(item), isSplit ? piece : null);
      return;
    }
    if (hasOneLane) this.#lane(lane, piece);
    else this.#lanes();
    this.#finish(this.#values(), (one) => (isSplit ? part : this.#outerPlace(one)));
  }

  /** What an item combines: a lane and the indices along the outer axes as uint64; where it stores. */
  #split(item: V, column: V): { lane: V; piece: V; outer: readonly V[]; part: V } {
    const { isSplit, fast, outer } = this.#form;
    const lengths = Array.from({ length: outer - 1 }, (_, axis) => axis + 1);
    const none = this.#target.constant('uint64', 0);
    const partAt = (columns: V, own: V) =>
      this.#sum64(this.#product(item, this.#wide(columns)), own);
    if (fast === 'outputs') {
      const [around, own] = isSplit ? this.#halves(item, this.#number(TREE.around)) : [item, none];
      const [lane, piece] = isSplit ? this.#halves(own, this.#number(TREE.lanes)) : [none, none];
      const others = outer === 1 ? [] : this.#indices(around, lengths.slice(0, -1));
      const part = partAt(this.#number(lengthName(outer - 1)), column);
      return { lane, piece: this.#short(piece), outer: [...others, column], part };
    }
    const [piece, output] = isSplit ? this.#halves(item, this.#number(TREE.pieces)) : [none, item];
    const lane = fast === 'lanes' ? this.#target.fast() : none;
    return {
      lane,
      piece: this.#short(piece),
      outer: this.#indices(output, lengths),
      part: fast === 'lanes' ? partAt(this.#number(TREE.lanes), lane) : item,
    };
  }

  /** What a division leaves, and its quotient, as uint64. */
  #halves(number: V, by: V): [V, V] {
    const [rest, quotient] = this.#compute([this.#short(number), by], (b, n, d) => [
      b.op('remainder', n, d),
      b.op('quotient', n, d),
    ]);
    return [this.#wide(rest), this.#wide(quotient)];
  }

  /** Combines and stores the elements of a leaf, behind the totals of those before it, or of all. */
  #scan(item: V, leaf: V | null): void {
    const before = this.#accumulators();
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
    const after = this.#accumulators();
    const [none, row] = [this.#constant(0), this.#index(start)];
    const walk = this.#walk(start, this.#target.constant('uint64', 0));
    this.#target.loop(
      () => this.#test('less', row.get(), end),
      () => {
        const own = row.get();
        const mapped = this.#map(walk);
        this.#target.when(this.#test('equal', own, start), () => set(this.#sum, mapped));
        this.#target.when(this.#test('less', start, own), () =>
          this.#combine(this.#values(), mapped),
        );
        set(after, this.#values());
        this.#target.when(this.#test('less', none, leaf), () =>
          this.#combine(valuesOf(before), this.#values(), after),
        );
        this.#finish(valuesOf(after), (one) =>
          this.#place(one, [this.#wide(own)], this.#form.outer, this.#outerPlace(one)),
        );
        walk.goOn();
        row.set(this.#next(own));
      },
    );
    set(before, valuesOf(after));
  }

  /** Combines all lanes, in the order in which a binary counter combines halves. */
  #lanes(): void {
    const lanes = this.#number(TREE.lanes);
    const rows = this.#registers.map((type) => this.#target.row(type, LANE_LEVELS));
    const number = this.#index(this.#constant(0));
    this.#target.loop(
      () => this.#test('less', number.get(), lanes),
      () => {
        const own = number.get();
        this.#lane(this.#wide(this.#reversed(own)), this.#constant(0));
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

  /** Combines the leaves of a piece of a lane, a uint64. */
  #lane(lane: V, piece: V): void {
    const type = this.#type;
    const leaves = this.#number(TREE.leaves);
    const [first, last] = this.#compute([piece, this.#number(TREE.size), leaves], (b, p, s, l) => {
      const from = b.op('multiply', p, s);
      return [from, b.op('minimum', b.op('add', from, s), l)];
    });
    const [start] = this.#compute([first, this.#number(TREE.leafRows)], (b, f, r) => [
      b.op('multiply', f, r),
    ]);
    const walk = this.#walk(start, lane);
    if (this.#form.hasOneLeaf) {
      this.#leaf(walk, first, lane);
      return;
    }
    const levels = this.#registers.map((one) => this.#target.row(one, LEVELS[type]));
    const leaf = this.#index(first);
    this.#target.loop(
      () => this.#test('less', leaf.get(), last),
      () => {
        const own = leaf.get();
        this.#leaf(walk, own, lane);
        const [next, number] = this.#compute([own, first], (b, l, f) => [
          b.op('add', l, b.constant(type, 1)),
          b.op('subtract', l, f),
        ]);
        this.#count(levels, number, this.#isSame(next, last));
        leaf.set(next);
      },
    );
  }

  /**
   * Combines the rows of a leaf. All lanes have as many: compilers make vectors of lanes. The last
   * row, which is not whole, comes behind them.
   */
  #leaf(walk: Walk<V>, leaf: V, lane: V): void {
    const sizes = [leaf, this.#number(TREE.leafRows), this.#number(TREE.rows)];
    const [second, end] = this.#compute(sizes, (b, l, size, rows) => {
      const start = b.op('multiply', l, size);
      const next = b.op('add', start, b.constant(this.#type, 1));
      return [next, b.op('minimum', b.op('add', start, size), rows)];
    });
    set(this.#sum, this.#map(walk));
    const row = this.#index(second);
    this.#target.loop(
      () => this.#test('less', row.get(), end),
      () => {
        walk.goOn();
        this.#combine(this.#values(), this.#map(walk));
        row.set(this.#next(row.get()));
      },
    );
    walk.goOn();
    this.#target.when(this.#test('equal', end, this.#number(TREE.rows)), () => {
      this.#target.when(this.#test('less', this.#short(lane), this.#number(TREE.rest)), () =>
        this.#combine(this.#values(), this.#map(walk)),
      );
    });
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

  /** Where the elements of a lane are, from a row on. */
  #walk(row: V, lane: V): Walk<V> {
    const { inner, arrays } = this.#form;
    const inputs = arrays.filter(({ writes, mode }) => !writes && mode === 'strided');
    return inner === 1 ? this.#alongAxis(inputs, row, lane) : this.#alongAxes(inputs, row, lane);
  }

  #alongAxis(inputs: readonly ReduceArray[], row: V, lane: V): Walk<V> {
    const { outer } = this.#form;
    const lanes = this.#wide(this.#number(TREE.lanes));
    const before = this.#target.variable('uint64');
    before.set(this.#product(this.#wide(row), lanes));
    // Lanes first: compilers then see that neighbours read neighbours.
    const starts = inputs.map((one) => this.#place(one, [lane], outer, this.#outerPlace(one)));
    const element = () => this.#sum64(before.get(), lane);
    return {
      places: () =>
        inputs.map((one, index) => [one, this.#place(one, [before.get()], outer, starts[index])]),
      indices: () => [element()],
      element,
      goOn: () => before.set(this.#sum64(before.get(), lanes)),
    };
  }

  /** Without a division for each element. */
  #alongAxes(inputs: readonly ReduceArray[], row: V, lane: V): Walk<V> {
    const { outer, inner } = this.#form;
    const lanes = this.#number(TREE.lanes);
    const [number] = this.#compute([row, lanes, this.#short(lane)], (b, r, n, l) => [
      b.op('add', b.op('multiply', r, n), l),
    ]);
    const lengths = Array.from({ length: inner - 1 }, (_, axis) => outer + axis + 1);
    const element = this.#index(number);
    const own = this.#digits(number, lengths);
    const digits = own.map((one) => this.#index(one));
    const steps = this.#digits(lanes, lengths);
    const wide = (all: readonly V[]) => all.map((one) => this.#wide(one));
    const walks = inputs.map((array) => {
      const place = this.#target.variable('uint64');
      place.set(this.#place(array, wide(own), outer, this.#outerPlace(array)));
      const step = this.#place(array, wide(steps), outer);
      const turns = lengths.map((axis) => this.#turn(array, axis));
      return { array, place, step, turns };
    });
    const goOn = () => {
      element.set(this.#compute([element.get(), lanes], (b, e, n) => [b.op('add', e, n)])[0]);
      for (const { place, step } of walks) place.set(this.#sum64(place.get(), step));
      let carry = this.#constant(0);
      for (let axis = inner - 1; axis > 0; axis--) {
        const length = this.#number(lengthName(outer + axis));
        carry = this.#step(digits[axis] as Variable<V>, steps[axis] as V, carry, length);
        for (const { place, turns } of walks) this.#carry(place, turns[axis - 1] as V, carry);
      }
      const first = digits[0] as Variable<V>;
      const all = [first.get(), steps[0] as V, carry];
      first.set(this.#compute(all, (b, d, s, c) => [b.op('add', b.op('add', d, s), c)])[0]);
    };
    return {
      places: () => walks.map(({ array, place }) => [array, place.get()]),
      indices: () => wide(valuesOf(digits)),
      element: () => this.#wide(element.get()),
      goOn,
    };
  }

  /** Moves an index along an axis. Returns what it carries: 1 if it went past the end, else 0. */
  #step(digit: Variable<V>, step: V, carry: V, length: V): V {
    const type = this.#type;
    const [index, next] = this.#compute([digit.get(), step, carry, length], (b, d, s, c, n) => {
      const moved = b.op('add', b.op('add', d, s), c);
      const isInside = b.test('less', moved, n);
      return [
        b.select(isInside, moved, b.op('subtract', moved, n)),
        b.select(isInside, b.constant(type, 0), b.constant(type, 1)),
      ];
    });
    digit.set(index);
    return next;
  }

  /** Turns a place if something is carried. */
  #carry(place: Variable<V>, turn: V, carry: V): void {
    const operands: [Register, V][] = [
      [this.#type, carry],
      ['uint64', place.get()],
      ['uint64', turn],
    ];
    const [turned] = compute(this.#target, operands, (b, c, p, t) => [
      b.select(b.test('equal', c, b.constant(this.#type, 0)), p, b.op('add', p, t)),
    ]);
    place.set(turned);
  }

  /** What the end of an inner axis adds to a place: back to its start, and on along the one before. */
  #turn(array: ReduceArray, axis: number): V {
    const [before, own] = [this.#stride(array, axis - 1), this.#stride(array, axis)];
    const length = this.#wide(this.#number(lengthName(axis)));
    return this.#compute64([before, own, length], (b, o, s, n) => [
      b.op('subtract', o, b.op('multiply', n, s)),
    ])[0];
  }

  /** The accumulators of the element where a walk is. */
  #map({ places, indices, element }: Walk<V>): V[] {
    const { map, axes, position } = this.#form;
    const target = this.#target;
    const signed = (index: V): V =>
      compute(target, [['uint64', index]], (b, i) => [b.convert(i, 'int64')])[0];
    const known = new Map(places().map(([one, place]) => [one.index, { one, place }]));
    const number = position < 0 ? null : signed(element());
    const all = map.axes > 0 ? [...this.#outer, ...indices()].map(signed) : [];
    const values = target.inline(map, {
      load: (source, part, type) => {
        if (source === position) return number as V;
        const { one, place } = known.get(source) as { one: ReduceArray; place: V };
        return target.load(one, place, part, type);
      },
      scalar: (source, type) => target.parameter(scalarName(source), type),
      index: (axis) => all[axes[axis] as number] as V,
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

  /**
   * The indices along some axes, of a number and as uint64. `lengths` are those of all but the first.
   * A number stays as it is where it is the index: see `Target.item`.
   */
  #indices(number: V, lengths: readonly number[]): V[] {
    if (lengths.length === 0) return [number];
    return this.#digits(this.#short(number), lengths).map((one) => this.#wide(one));
  }

  #digits(number: V, lengths: readonly number[]): V[] {
    const digits: V[] = [];
    let left = number;
    for (const axis of lengths.toReversed()) {
      const [index, above] = this.#compute([left, this.#number(lengthName(axis))], (b, n, l) => [
        b.op('remainder', n, l),
        b.op('quotient', n, l),
      ]);
      digits.unshift(index);
      left = above;
    }
    return [left, ...digits];
  }

  /** Where the elements at indices are, from the axis `first` on. */
  #place(array: ReduceArray, indices: readonly V[], first: number, start?: V): V {
    let place = start ?? this.#target.constant('uint64', 0);
    for (const [number, index] of indices.entries()) {
      if (array.strides[first + number] === 0) continue;
      const step =
        array.strides[first + number] === 1
          ? index
          : this.#product(index, this.#stride(array, first + number));
      place = this.#sum64(place, step);
    }
    return place;
  }

  #outerPlace(array: ReduceArray): V {
    return this.#places.get(array) as V;
  }

  /** The stride of an array, in elements. */
  #stride(array: ReduceArray, axis: number): V {
    const known = array.strides[axis] as KnownStride;
    if (known !== null) return this.#target.constant('uint64', known);
    const stride = this.#target.parameter(strideName(array, axis), 'int64');
    return compute(this.#target, [['int64', stride]], (b, s) => [b.convert(s, 'uint64')])[0];
  }

  #sum64(x: V, y: V): V {
    return this.#compute64([x, y], (b, a, c) => [b.op('add', a, c)])[0];
  }

  #product(x: V, y: V): V {
    return this.#compute64([x, y], (b, a, c) => [b.op('multiply', a, c)])[0];
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

  #short(index: V): V {
    return this.#compute64([index], (b, i) => [b.convert(i, this.#type)])[0];
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

  #compute64<const R extends readonly number[]>(
    operands: readonly V[],
    build: (b: Builder, ...operands: number[]) => R,
  ): { [K in keyof R]: V } {
    return compute(
      this.#target,
      operands.map((one) => ['uint64', one]),
      build,
    );
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
