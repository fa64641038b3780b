import { type DTypeName, makeDescriptor } from '@array-interface/core';
import {
  all,
  any,
  argmax,
  argmin,
  countNonzero,
  logSumExp,
  max,
  mean,
  min,
  prod,
  type StandardReduction,
  std,
  sum,
  variance,
} from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { randomSeed } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';

// What an array of any layout makes has the bits of what its elements make in C order, which other
// loops read.

const PLACES = { argmax, argmin };
const REDUCTIONS = {
  ...{ all, any, countNonzero, logSumExp, max, mean, min, prod, std, sum, variance },
  ...PLACES,
} as unknown as Record<string, StandardReduction>;
const NAMES = Object.keys(REDUCTIONS);
const TYPES = ['bool', 'uint8', 'int16', 'int32', 'int64', 'float32', 'float64'] as const;
const MOST = 200_000;

const axis = fc.record({
  weight: fc.constantFrom<number[]>(0, 1, 4, 9, 5, 3, 3, 5, 9, 4),
  order: fc.nat(),
  isReduced: fc.boolean(),
  isRepeated: fc.nat(9).map((one) => one === 0),
  isReversed: fc.boolean(),
  step: fc.nat(5).map((one) => Math.max(1, one - 2)),
  gap: fc.nat(3),
  length: fc.constant<number | undefined>(undefined),
});
const drawn = fc.record({
  name: fc.constantFrom(...NAMES),
  type: fc.constantFrom(...TYPES),
  axes: fc.array(axis, { minLength: 1, maxLength: 5 }),
  size: fc.integer({ min: 1, max: MOST }),
  threads: fc.constantFrom(1, 1, 2, 3),
  isOdd: fc.boolean(),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** The shape, the strides in elements, the first element, and how many there are up to the last one. */
function layoutOf({ axes, size }: Drawn) {
  const all = axes.reduce((sum, { weight }) => sum + weight, 0);
  const shape = axes.map(
    ({ length, weight }) => length ?? Math.max(1, Math.floor(size ** (weight / (all || 1)))),
  );
  const strides = shape.map(() => 0);
  let [next, start] = [1, 0];
  const byOrder = [...axes.keys()].sort((a, b) => (axes[a]?.order ?? 0) - (axes[b]?.order ?? 0));
  for (const index of byOrder) {
    const { isRepeated, isReversed, step, gap } = axes[index] as Drawn['axes'][0];
    if (isRepeated) continue;
    const own = next * (next < 1e6 ? step : 1); // not too much memory
    const last = ((shape[index] as number) - 1) * own;
    strides[index] = isReversed ? -own : own;
    if (isReversed) start += last;
    next = last + own + gap;
  }
  return { shape, strides, start, count: next };
}

/** Numbers of which few are less or more than the others, and some are not a number if there is one. */
function numberAt(at: number, { name, type, isOdd }: Drawn): number {
  const random = Math.imul(at + 1, 0x9e3779b1) >>> 8;
  if (type === 'bool') return Number((random % 500 === 0) === isOdd);
  if (isOdd && type.startsWith('float') && random % 5000 === 0) return Number.NaN;
  if (name === 'prod' && type.startsWith('int')) return (random % 64) * 2 - 63; // odd: no product is 0
  return random % 500 === 0
    ? 1 + ((random >> 9) % 251)
    : 100 + (random % 3) + (random % 1000) / 1024;
}

async function viewOf(one: Drawn) {
  const { shape, strides, start, count } = layoutOf(one);
  // Whatever is read beside the elements would be the least or the greatest of all.
  const numbers = Float64Array.from({ length: count }, (_, at) => (at % 2) * 255);
  const write = (axis: number, at: number) => {
    if (axis === shape.length) {
      numbers[at] = numberAt(at, one);
      return;
    }
    const stride = strides[axis] as number;
    const length = stride === 0 ? 1 : (shape[axis] as number);
    for (let index = 0; index < length; index++) write(axis + 1, at + index * stride);
  };
  write(0, start);
  const block = await host.array(numbers, { dtype: one.type, casting: 'unsafe' });
  const { itemsize } = block.dtype;
  const view = makeDescriptor({
    pointer: block.pointer + BigInt(start * itemsize),
    shape,
    byteStrides: strides.map((stride) => stride * itemsize),
    dtype: one.type as DTypeName,
    owner: block.memory,
  });
  return { block, view };
}

const PLAIN = {
  ...{ order: 0, isReduced: false, isRepeated: false, isReversed: false, step: 1, gap: 1 },
  length: undefined as number | undefined,
};
/** Layouts that are rarely drawn. */
const RARE: readonly Drawn[] = [
  {
    // Rows of neighbours of many outputs, which have two axes, beside one another.
    ...{ name: 'max', type: 'int32', size: 200_000, threads: 1, isOdd: false },
    axes: [
      { ...PLAIN, weight: 1, order: 3 },
      { ...PLAIN, weight: 1, order: 1 },
      { ...PLAIN, weight: 1, order: 2, isReduced: true },
      { ...PLAIN, weight: 3, order: 0, isReduced: true },
    ],
  },
  // Rows that threads begin within, of which fewer elements are left than there are lanes.
  ...([2, 3] as const).flatMap((threads) =>
    ['sum', 'max', 'any', 'all'].map((name) => ({
      ...{ name, type: 'int32' as const, size: 262_208, threads, isOdd: false },
      axes: [
        { ...PLAIN, weight: 1, order: 1, length: 64 },
        { ...PLAIN, weight: 1, length: 4097, gap: 3 },
      ],
    })),
  ),
  {
    // Rows of neighbours that follow one another, of fewer elements than there are lanes.
    ...{ name: 'sum', type: 'int32', size: 2400, threads: 1, isOdd: false },
    axes: [
      { ...PLAIN, weight: 1, order: 2, isReduced: true, length: 100 },
      { ...PLAIN, weight: 1, order: 1, isReduced: true, length: 3, gap: 8 },
      { ...PLAIN, weight: 1, length: 8, gap: 0 },
    ],
  },
  {
    // Rows that are longer than what is compared at once.
    ...{ name: 'argmin', type: 'uint8', size: 200_000, threads: 1, isOdd: false },
    axes: [
      { ...PLAIN, weight: 1, order: 1 },
      { ...PLAIN, weight: 9, gap: 26_000 },
    ],
  },
];

const seed = randomSeed();
test(`any layout has the bits of C order, seed ${seed}`, { timeout: 120_000 }, async () => {
  for (const one of [...RARE, ...fc.sample(drawn, { seed, numRuns: 600 })]) {
    const picked = one.axes.flatMap(({ isReduced }, index) => (isReduced ? [index] : []));
    const isPlace = one.name in PLACES;
    const along = picked.length === 0 ? undefined : isPlace ? (picked[0] as number) : picked;
    const reduce = REDUCTIONS[one.name] as StandardReduction;
    using queue = host.createQueue({ threads: one.threads });
    const { block, view } = await viewOf(one);
    using _block = block;
    using inOrder = await host.array(view);
    const options = { queue, ...(along !== undefined && { axis: along }) };
    using expected = await reduce(host, inOrder, options);
    using got = await reduce(host, view, options);
    const [a, b] = await Promise.all([got, expected].map((array) => host.toTypedArray(array)));
    const bytes = [a, b].map((array) => Buffer.from(array?.buffer as ArrayBuffer).toString('hex'));
    expect(bytes[0], JSON.stringify(one)).toBe(bytes[1]);
  }
});
