import { makeDescriptor } from '@array-interface/core';
import { mean, prod, sum } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { randomSeed } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';

// Outputs side by side, each of so few elements that a lane of its tree (ADR 36) has one or two.

const TYPES = {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  uint32: Uint32Array,
} as const;
type TypeName = keyof typeof TYPES;

const add = (a: number, b: number) => a + b;
const multiply = (a: number, b: number) => a * b;

/** Combines numbers as the tree does. */
function combined(numbers: readonly number[], combine: typeof add): number {
  let lanes = 2 ** Math.floor(Math.log2(numbers.length));
  let values = numbers.slice(0, lanes);
  for (const [lane, more] of numbers.slice(lanes).entries())
    values[lane] = combine(values[lane] as number, more);
  for (lanes /= 2; lanes >= 1; lanes /= 2) {
    const [first, second] = [values.slice(0, lanes), values.slice(lanes)];
    values = first.map((one, lane) => combine(one, second[lane] as number));
  }
  return values[0] as number;
}

const seed = randomSeed();
const random = fc.sample(
  fc.record({
    rows: fc.integer({ min: 1, max: 40 }),
    width: fc.integer({ min: 1, max: 700 }),
    gap: fc.nat(9),
    isReversed: fc.boolean(),
  }),
  { seed, numRuns: 60 },
);
const drawn = [
  { rows: 2, width: 16, gap: 0, isReversed: false },
  { rows: 31, width: 257, gap: 1, isReversed: false },
  ...random,
];

test.each(Object.keys(TYPES) as TypeName[])(
  `few rows of %s have the bits of the tree, seed ${seed}`,
  async (type) => {
    for (const { rows, width, gap, isReversed } of drawn) {
      const step = width + gap;
      const isWhole = !type.startsWith('float');
      const numbers = Array.from({ length: rows * step }, (_, i) => {
        const one = ((i * 7919) % 10_007) / 91 + 1;
        return isWhole ? Math.round(one * 2 ** 24) : Math.fround(one);
      });
      using x = await host.array(TYPES[type].from(numbers));
      const { itemsize, memory: owner } = x;
      const first = isReversed ? (rows - 1) * step : 0;
      const view = makeDescriptor({
        pointer: x.pointer + BigInt(first * itemsize),
        shape: [rows, width],
        byteStrides: [(isReversed ? -step : step) * itemsize, itemsize],
        dtype: type,
        owner,
      });
      const columns = Array.from({ length: width }, (_, column) =>
        Array.from({ length: rows }, (_, row) => {
          const at = isReversed ? rows - 1 - row : row;
          return numbers[at * step + column] as number;
        }),
      );
      const stored = type === 'float32' ? Math.fround : (value: number) => value;
      using means = await mean(host, view, { axis: 0 });
      expect(await means.toNested()).toEqual(
        columns.map((own) => stored(combined(own, add) / rows)),
      );
      if (isWhole) continue;
      for (const [call, combine] of [
        [sum, add],
        [prod, multiply],
      ] as const) {
        using made = await call(host, view, { axis: 0 });
        expect(await made.toNested()).toEqual(columns.map((own) => stored(combined(own, combine))));
      }
    }
  },
);
