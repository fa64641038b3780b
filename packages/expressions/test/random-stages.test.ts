import type { Backend, BackendArray, OwnedArray } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { evaluate } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { random } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import fc from 'fast-check';
import { expect, test } from 'vitest';

// A text with reductions is cut into launches: which work goes with which reduction, and what
// several need, may not be seen. Random texts beside plain loops over a square, so that all shapes broadcast.

const SIDE = 3;

/** An array of at most two axes, each of the side's length or of 1. */
interface Grid {
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

/** Part of a text, and what it is of each choice of operands. */
interface Part {
  readonly text: string;
  readonly values: readonly Grid[];
}

const number = (value: number): Grid => ({ shape: [], data: [value] });

function at({ shape, data }: Grid, row: number, column: number): number {
  const [rows = 1, columns = 1] = shape.length === 2 ? shape : [1, ...shape];
  return data[(rows === 1 ? 0 : row) * columns + (columns === 1 ? 0 : column)] as number;
}

function grid(shape: readonly number[], value: (row: number, column: number) => number): Grid {
  const [rows = 1, columns = 1] = shape.length === 2 ? shape : [1, ...shape];
  const data = Array.from({ length: rows * columns }, (_, index) =>
    value(Math.floor(index / columns), index % columns),
  );
  return { shape, data };
}

function together(a: Grid, b: Grid, f: (a: number, b: number) => number): Grid {
  const rank = Math.max(a.shape.length, b.shape.length);
  const shape = Array.from({ length: rank }, (_, axis) =>
    Math.max(...[a, b].map((one) => one.shape[axis - rank + one.shape.length] ?? 1)),
  );
  return grid(shape, (row, column) => f(at(a, row, column), at(b, row, column)));
}

/** Reduces one axis, or all if it is null. */
function reduced(
  a: Grid,
  f: (all: readonly number[]) => number,
  axis: number | null,
  keep: boolean,
): Grid {
  const { shape } = a;
  const isGone = (one: number) => axis === null || one === axis;
  const kept = shape.map((length, one) => (isGone(one) ? 1 : length));
  const square = shape.length === 2 ? shape : [1, ...shape];
  const [rows = 1, columns = 1] = square;
  const goneRow = shape.length < 2 || isGone(0);
  const goneColumn = shape.length === 0 || isGone(shape.length - 1);
  const { data } = grid(kept, (row, column) => {
    const all: number[] = [];
    for (let i = goneRow ? 0 : row; i < (goneRow ? rows : row + 1); i++)
      for (let j = goneColumn ? 0 : column; j < (goneColumn ? columns : column + 1); j++)
        all.push(at(a, i, j));
    return f(all);
  });
  return { shape: keep ? kept : shape.filter((_, one) => !isGone(one)), data };
}

const REDUCTIONS: Readonly<Record<string, (all: readonly number[]) => number>> = {
  sum: (all) => all.reduce((a, b) => a + b, 0),
  max: (all) => Math.max(...all),
  min: (all) => Math.min(...all),
  count_nonzero: (all) => all.filter((one) => one !== 0).length,
};

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '<': (a, b) => (a < b ? 1 : 0),
};

/** Makes a part of others. */
function make(known: readonly Part[], below: (limit: number) => number, depth: number): Part {
  if (depth === 0 || below(6) === 0) return known[below(known.length)] as Part;
  const { text, values } = make(known, below, depth - 1);
  if (below(2) === 0) {
    const [name, reduce] = Object.entries(REDUCTIONS)[below(4)] as [
      string,
      (all: readonly number[]) => number,
    ];
    const rank = Math.min(...values.map(({ shape }) => shape.length));
    const axis = rank === 0 || below(3) === 0 ? null : below(rank);
    const keeps = below(2) === 0;
    const options = [
      ...(axis === null ? [] : [`axis=${axis}`]),
      ...(keeps ? ['keepdims=true'] : []),
    ];
    return {
      text: `${name}(${[text, ...options].join(', ')})`,
      values: values.map((one) => reduced(one, reduce, axis, keeps)),
    };
  }
  const second = make(known, below, depth - 1);
  const [sign, operation] = Object.entries(OPERATORS)[below(3)] as [
    string,
    (a: number, b: number) => number,
  ];
  return {
    text: `float64(${text} ${sign} ${second.text})`,
    values: values.map((one, index) => together(one, second.values[index] as Grid, operation)),
  };
}

const numbers = fc.array(fc.nat(2 ** 20), { minLength: 200, maxLength: 200 });
const squares = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 9, maxLength: 9 });

const square = (data: readonly number[]) =>
  grid([SIDE, SIDE], (row, column) => data[row * SIDE + column] as number);

async function computed(
  backend: Backend,
  text: string,
  values: Readonly<Record<string, Grid>>,
): Promise<Grid> {
  const arrays: OwnedArray<BackendArray>[] = [];
  try {
    const operands: Record<string, unknown> = {};
    for (const [name, { shape, data }] of Object.entries(values)) {
      if (shape.length === 0) {
        operands[name] = data[0];
        continue;
      }
      const array = await backend.array(Float64Array.from(data), { shape: [...shape] });
      arrays.push(array);
      operands[name] = array;
    }
    using result = await evaluate(backend, text, operands as never);
    const data = (await backend.toTypedArray(result)) as Float64Array;
    return { shape: [...result.shape], data: [...data] };
  } finally {
    for (const array of arrays) array[Symbol.dispose]();
  }
}

/** With how many texts: SYCL builds the kernels of each. */
const BACKENDS: readonly (readonly [name: string, backend: Backend, usual: number])[] = [
  ['the host', host, 200],
  ['the simulator', cuda, 40],
  ['SYCL', sycl, 5],
];

test.each(BACKENDS)(
  'texts with reductions are computed as plain loops compute them: %s',
  async (_, backend, usual) => {
    const property = fc.asyncProperty(numbers, squares, squares, async (choices, first, second) => {
      let next = 0;
      const below = (limit: number) => (choices[next++ % choices.length] as number) % limit;
      const one = number(first[0] as number);
      // An operand that is a number lets a text be cut elsewhere.
      const operands: Record<string, readonly Grid[]> = {
        x: [square(first), square(second)],
        y: [square(second), one],
        n: [one, square(first)],
      };
      const known: Part[] = Object.entries(operands).map(([text, values]) => ({ text, values }));
      const parts: [name: string, text: string][] = [];
      for (const name of ['a', 'b']) {
        const { text, values } = make(known, below, 3);
        parts.push([name, text]);
        known.push({ text: name, values });
      }
      // Of one part alone, the same is often reduced in several ways.
      const result = make(below(2) === 0 ? known : [known[below(5)] as Part], below, 4);
      // Elements are computed for all operands of a text, so it has none that its result does not need.
      let text = `float64(${result.text})`;
      for (const [name, part] of parts.toReversed()) {
        if (new RegExp(`\\b${name}\\b`).test(text)) text = `let ${name} = ${part}; ${text}`;
      }
      const names = Object.keys(operands).filter((name) => new RegExp(`\\b${name}\\b`).test(text));
      for (const [index, expected] of result.values.entries()) {
        const values = Object.fromEntries(
          names.map((name) => [name, operands[name]?.[index] as Grid]),
        );
        if (names.every((name) => values[name]?.shape.length === 0)) continue;
        expect({ text, index, ...(await computed(backend, text, values)) }).toEqual({
          text,
          index,
          ...expected,
        });
      }
    });
    await fc.assert(property, random(usual));
  },
  120_000,
);
