import { makeDescriptor } from '@array-interface/core';
import { mean, prod, reduction, sum } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { randomSeed } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';

// Floats are combined in the order of the tree of ADR 36, of which there are loops for few elements of
// outputs side by side, and for few lanes of outputs one behind the other.

const TYPES = {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  uint32: Uint32Array,
} as const;
type TypeName = keyof typeof TYPES;
type Combine = (a: number, b: number) => number;

const add: Combine = (a, b) => a + b;
const multiply: Combine = (a, b) => a * b;
const addSingle: Combine = (a, b) => Math.fround(a + b);

const FLOAT32 = { inputs: { x: 'float32' }, outputs: { y: 'float32' } } as const;
/** A sum whose accumulator is a float32, unlike that of the standard. */
const narrow = reduction('narrow', FLOAT32, { map: 'x', reduce: 'a + b', post: 'y = a' });

const WIDE = { inputs: { x: 'float32' }, outputs: { y: 'float64' } } as const;
/** Those whose order a float32 would hide. */
const wideSum = reduction('wideSum', WIDE, { map: 'float64(x)', reduce: 'a + b', post: 'y = a' });
const wideProd = reduction('wideProd', WIDE, { map: 'float64(x)', reduce: 'a * b', post: 'y = a' });

/** Combines at most 512 numbers as the tree does. */
function combined(numbers: readonly number[], combine: Combine): number {
  let lanes = Math.min(32, 2 ** Math.floor(Math.log2(numbers.length)));
  let values = numbers.slice(0, lanes);
  for (const [index, more] of numbers.slice(lanes).entries()) {
    const lane = index % lanes;
    values[lane] = combine(values[lane] as number, more);
  }
  for (lanes /= 2; lanes >= 1; lanes /= 2) {
    const [first, second] = [values.slice(0, lanes), values.slice(lanes)];
    values = first.map((one, lane) => combine(one, second[lane] as number));
  }
  return values[0] as number;
}

/** Floats of all bits and several sizes, whose sums depend on the order; or any integers. */
function numberAt(index: number, type: TypeName): number {
  const one = Math.sin(index + 1);
  if (type === 'float64') return one * 2 ** (((index * 7) % 11) - 5);
  if (type === 'float32') return Math.fround(one * 2 ** (((index * 7) % 61) - 30));
  return type === 'int32' ? Math.round(one * 0x7fffffff) : Math.round(Math.abs(one) * 0xffffffff);
}

const seed = randomSeed();
const layouts = (rows: fc.Arbitrary<number>, width: fc.Arbitrary<number>) =>
  fc.sample(fc.record({ rows, width, gap: fc.nat(9), isReversed: fc.boolean() }), {
    seed,
    numRuns: 60,
  });
const few = [
  { rows: 2, width: 16, gap: 1, isReversed: false },
  { rows: 31, width: 257, gap: 1, isReversed: false },
  ...layouts(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 700 })),
];
const long = [
  { rows: 9, width: 512, gap: 0, isReversed: false },
  { rows: 9, width: 8, gap: 0, isReversed: false },
  { rows: 15, width: 16, gap: 0, isReversed: false },
  { rows: 10, width: 31, gap: 2, isReversed: false },
  ...layouts(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 2, max: 512 })),
];

test.each(Object.keys(TYPES) as TypeName[])(
  `%s along either axis has the bits of the tree, seed ${seed}`,
  async (type) => {
    const cases = [...few.map((one) => [0, one] as const), ...long.map((one) => [1, one] as const)];
    for (const [axis, { rows, width, gap, isReversed }] of cases) {
      const step = width + gap;
      const numbers = Array.from({ length: rows * step }, (_, index) => numberAt(index, type));
      using x = await host.array(TYPES[type].from(numbers));
      const { itemsize, memory: owner } = x;
      const view = makeDescriptor({
        pointer: x.pointer + BigInt((isReversed ? rows - 1 : 0) * step * itemsize),
        shape: [rows, width],
        byteStrides: [(isReversed ? -step : step) * itemsize, itemsize],
        dtype: type,
        owner,
      });
      const table = Array.from({ length: rows }, (_, index) => {
        const row = isReversed ? rows - 1 - index : index;
        return numbers.slice(row * step, row * step + width);
      });
      const outputs =
        axis === 1
          ? table
          : Array.from({ length: width }, (_, column) => table.map((row) => row[column] as number));
      const of = (combine: Combine) => outputs.map((own) => combined(own, combine));
      const stored = type === 'float32' ? Math.fround : (value: number) => value;
      const count = axis === 1 ? width : rows;
      using means = await mean(host, view, { axis });
      expect(await means.toNested()).toEqual(of(add).map((one) => stored(one / count)));
      if (!type.startsWith('float')) continue;
      using sums = await sum(host, view, { axis });
      expect(await sums.toNested()).toEqual(of(add).map((one) => stored(one + 0)));
      using products = await prod(host, view, { axis });
      expect(await products.toNested()).toEqual(of(multiply).map(stored));
      if (type !== 'float32') continue;
      using singles = (await narrow(host, { x: view }, { axis })).y;
      expect(await singles.toNested()).toEqual(of(addSingle));
      using exactSums = (await wideSum(host, { x: view }, { axis })).y;
      expect(await exactSums.toNested()).toEqual(of(add));
      using exactProducts = (await wideProd(host, { x: view }, { axis })).y;
      expect(await exactProducts.toNested()).toEqual(of(multiply));
    }
  },
);
