import { makeDescriptor, type TypedArray } from '@array-interface/core';
import { max, mean, reduction } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { randomSeed } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';

// The host computes outputs in the order in which elements lie in memory, once if their elements are
// the same, and copies blocks of them to their places.

const SIZE = 8;
/** More than one block. */
const MANY = 150_000;

/** An axis: how long it is among the others, and how the array and the output lie along it. */
const axis = fc.record({
  weight: fc.integer({ min: 1, max: 12 }),
  order: fc.nat(),
  outOrder: fc.nat(),
  isRepeated: fc.nat(4).map((one) => one === 0),
  isReversed: fc.boolean(),
  isOutReversed: fc.boolean(),
  gap: fc.nat(2),
});
const layout = fc.record({
  axes: fc.array(axis, { minLength: 2, maxLength: 4 }),
  reduced: fc.nat(),
  length: fc.integer({ min: 1, max: 5 }),
  outputs: fc.integer({ min: 200, max: MANY * 2 }),
  threads: fc.constantFrom(1, 3),
});

type Axis = { order: number; isReversed: boolean; gap: number };

/** Strides in elements of axes in some order of memory, those of the first element, and all of them. */
function laidOut(shape: readonly number[], axes: readonly Axis[]) {
  const strides = shape.map(() => 0);
  let [step, start] = [1, 0];
  const byOrder = [...shape.keys()].sort(
    (a, b) => (axes[a] as Axis).order - (axes[b] as Axis).order,
  );
  for (const index of byOrder) {
    const { isReversed, gap } = axes[index] as Axis;
    const length = shape[index] as number;
    if (isReversed) start += (length - 1) * step;
    strides[index] = isReversed ? -step : step;
    step *= length;
    step += gap;
  }
  return { strides, start, count: step };
}

function* indicesOf(shape: readonly number[]): Generator<number[]> {
  const index = shape.map(() => 0);
  for (;;) {
    yield index;
    let at = shape.length - 1;
    while (at >= 0 && ++(index[at] as number) === shape[at]) index[at--] = 0;
    if (at < 0) return;
  }
}

const dot = (index: readonly number[], strides: readonly number[], start: number) =>
  index.reduce((sum, one, at) => sum + one * (strides[at] as number), start);

/** Two outputs, of which the second has shorter elements. */
const both = reduction(
  'both',
  { inputs: { x: 'float64' }, outputs: { total: 'float64', short: 'int16' } },
  { map: 'x', reduce: 'a + b', post: 'total = a; short = int16(a)' },
);

/** The sum and the greatest of the numbers along an axis, for each index of the others. */
function reduced(
  numbers: Float64Array,
  shape: readonly number[],
  { strides, start }: { readonly strides: readonly number[]; readonly start: number },
  axis: number,
) {
  const sums: number[] = [];
  const greatest: number[] = [];
  for (const index of indicesOf(shape.toSpliced(axis, 1))) {
    const first = dot(index, strides.toSpliced(axis, 1), start);
    const row = Array.from(
      { length: shape[axis] as number },
      (_, at) => numbers[first + at * (strides[axis] as number)] as number,
    );
    sums.push(row.reduce((sum, one) => sum + one));
    greatest.push(Math.max(...row));
  }
  return { sums, greatest };
}

const view = (
  block: Awaited<ReturnType<typeof host.array>>,
  shape: readonly number[],
  { strides, start }: { readonly strides: readonly number[]; readonly start: number },
) =>
  makeDescriptor({
    pointer: block.pointer + BigInt(start * SIZE),
    shape,
    byteStrides: strides.map((stride) => stride * SIZE),
    dtype: 'float64',
    owner: block.memory,
  });

/** Quicker than `toEqual` of that many numbers. */
function expectBytes(got: TypedArray, expected: TypedArray) {
  const [a, b] = [got, expected].map((one) =>
    Buffer.from(one.buffer, one.byteOffset, one.byteLength),
  );
  expect(a?.equals(b as Buffer)).toBe(true);
}

const seed = randomSeed();
const LAYOUTS = fc.sample(layout, { seed, numRuns: 24 });
test.each(LAYOUTS)(`outputs of a random order %#, seed ${seed}`, async (drawn) => {
  const { axes, length, outputs, threads } = drawn;
  const axis = drawn.reduced % axes.length;
  const kept = axes.toSpliced(axis, 1);
  const all = kept.reduce((sum, { weight }) => sum + weight, 0);
  const shape = axes.map(({ weight }, at) =>
    at === axis ? length : Math.max(1, Math.round(outputs ** (weight / all))),
  );
  const laid = laidOut(shape, axes);
  const strides = laid.strides.map((stride, at) =>
    at !== axis && axes[at]?.isRepeated ? 0 : stride,
  );
  const source = { ...laid, strides };
  const numbers = Float64Array.from({ length: laid.count + 1 }, (_, at) => (at * 7919) % 251);
  const expected = reduced(numbers, shape, source, axis);
  using queue = host.createQueue({ threads });
  using block = await host.array(numbers);
  const x = view(block, shape, source);
  using greatest = await max(host, x, { axis, queue });
  expectBytes(await host.toTypedArray(greatest), Float64Array.from(expected.greatest));
  using means = await mean(host, x, { axis, queue });
  expectBytes(
    await host.toTypedArray(means),
    Float64Array.from(expected.sums, (sum) => sum / length),
  );
  const rest = shape.toSpliced(axis, 1);
  const target = laidOut(
    rest,
    kept.map(({ outOrder: order, isOutReversed: isReversed, gap }) => ({ order, isReversed, gap })),
  );
  const written = new Float64Array(target.count + 1).fill(-1);
  using room = await host.array(written);
  const total = view(room, rest, target);
  using short = (await both(host, { x }, { axis, queue, out: { total } })).short;
  let next = 0;
  for (const index of indicesOf(rest)) {
    written[dot(index, target.strides, target.start)] = expected.sums[next++] as number;
  }
  expectBytes(await host.toTypedArray(room), written);
  expectBytes(await host.toTypedArray(short), Int16Array.from(expected.sums));
});
