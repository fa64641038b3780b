import { makeDescriptor } from '@array-interface/core';
import { all, any, countNonzero, max, min, prod, sum } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { randomSeed } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';

// Rows of one output or several lie beside one another, then the next rows of all: [far, farther, outputs,
// row].

const TYPES = {
  int16: Int16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  float32: Float32Array,
} as const;
type TypeName = keyof typeof TYPES;

const wrap = (value: bigint) => BigInt.asIntN(64, value);
/** Each function, and what it makes of numbers one after another, from the first on. */
const FUNCTIONS = {
  sum: [sum, (a: bigint, b: bigint) => wrap(a + b), (a: bigint) => a],
  prod: [prod, (a: bigint, b: bigint) => wrap(a * b), (a: bigint) => a],
  min: [min, (a: bigint, b: bigint) => (a < b ? a : b), (a: bigint) => a],
  max: [max, (a: bigint, b: bigint) => (a > b ? a : b), (a: bigint) => a],
  any: [any, (a: bigint, b: bigint) => a | b, (a: bigint) => BigInt(a !== 0n)],
  all: [all, (a: bigint, b: bigint) => a & b, (a: bigint) => BigInt(a !== 0n)],
  countNonzero: [countNonzero, (a: bigint, b: bigint) => a + b, (a: bigint) => BigInt(a !== 0n)],
} as const;

/** What each type is reduced by: by what may be combined in any order. */
const CALLS: readonly (readonly [TypeName, readonly (keyof typeof FUNCTIONS)[]])[] = [
  ['int16', ['sum', 'prod', 'min', 'max', 'countNonzero']],
  ['int32', ['sum', 'prod', 'max', 'any']],
  ['uint32', ['sum', 'min']],
  ['int64', ['sum', 'prod', 'min']],
  ['uint8', ['max', 'any', 'all', 'countNonzero']],
  ['float32', ['min', 'max', 'all', 'countNonzero']],
];
/** Lengths along [far, farther, outputs, row], and elements between rows; three times as many between the farthest. */
const SHAPES = [
  [2, 1, 2, 128, 0],
  [3, 1, 40, 129, 0],
  [2, 2, 260, 131, 0],
  [4, 3, 17, 200, 5],
  [5, 2, 3, 700, 1],
  [30, 1, 70, 131, 0],
  [40, 3, 1, 200, 7],
  [90, 3, 1, 46, 3],
  [600, 1, 1, 8, 1],
  [50, 1, 1, 37, 2],
  [2, 1, 513, 150, 1],
  [5, 7, 1, 256, 1],
] as const;

const seed = randomSeed();
const randomShapes = fc.sample(
  fc.tuple(
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 128, max: 600 }),
    fc.nat(9),
  ),
  { seed, numRuns: 6 },
);
const shortRows = fc.sample(
  fc.tuple(
    fc.integer({ min: 1, max: 60 }),
    fc.integer({ min: 1, max: 3 }),
    fc.constant(1),
    fc.integer({ min: 2, max: 300 }),
    fc.nat(9),
  ),
  { seed, numRuns: 6 },
);

/** A number that is 0 now and then, or hardly ever. */
function numberAt(index: number, type: TypeName): bigint {
  const bits = wrap(BigInt(index + 1) * 0x9e37_79b9_7f4a_7c15n);
  if (type === 'int64') return bits;
  const small = (bits >> 32n) & 0x7fn;
  return type === 'uint8' && index % 1000 > 3 ? small | 1n : small;
}

const plain = (value: unknown) => BigInt(value as bigint);

test.each([1, 2, 3])(
  `rows of outputs beside one another, with %i threads, seed ${seed}`,
  async (threads) => {
    using queue = host.createQueue({ threads });
    for (const [far, farther, outputs, row, gap] of [...SHAPES, ...randomShapes, ...shortRows]) {
      const steps = [
        farther * outputs * (row + gap) + 3 * gap,
        outputs * (row + gap),
        row + gap,
        1,
      ];
      const length = far * (steps[0] as number);
      for (const [type, names] of CALLS) {
        const numbers = Array.from({ length }, (_, index) => numberAt(index, type));
        const make = TYPES[type] as { from(values: readonly unknown[]): Int32Array };
        using x = await host.array(make.from(type === 'int64' ? numbers : numbers.map(Number)));
        // The axes in another order, one of them repeated.
        const lengths = [row, far, 2, outputs, farther];
        const [a, b, c, d] = steps.map((step) => step * x.itemsize) as [
          number,
          number,
          number,
          number,
        ];
        const { pointer, memory: owner } = x;
        const byteStrides = [d, a, 0, c, b];
        const view = makeDescriptor({ pointer, shape: lengths, byteStrides, dtype: type, owner });
        for (const name of names) {
          const [call, combine, read] = FUNCTIONS[name];
          const expected = Array.from({ length: outputs }, (_, output) => {
            const own: bigint[] = [];
            for (let index = 0; index < far * farther; index++) {
              const [i, j] = [Math.floor(index / farther), index % farther];
              const first =
                i * (steps[0] as number) + j * (steps[1] as number) + output * (row + gap);
              for (let at = 0; at < row; at++) own.push(read(numbers[first + at] as bigint));
            }
            return [...own, ...own].reduce(combine);
          });
          using made = await (call as typeof max)(host, view, { axis: [0, 1, 2, 4], queue });
          const got = ((await made.toNested()) as unknown[]).map(plain);
          expect([name, type, lengths, got]).toEqual([name, type, lengths, expected]);
        }
      }
    }
  },
);
