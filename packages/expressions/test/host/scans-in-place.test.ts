import { type DTypeName, dtype, makeDescriptor } from '@array-interface/core';
import { cumulativeProd, cumulativeSum, scan } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';

// The host scans tiles, which it copies or not, and threads share them or their leaves. Where one ends may
// not be seen: arrays of some tiles, in any layout, beside plain loops.

/** The elements of an array along the axes of a shape, in elements of its block. */
interface Layout {
  readonly strides: readonly number[];
  readonly offset: number;
  readonly length: number;
}

interface Case {
  readonly type: DTypeName;
  readonly operation: 'sum' | 'product';
  readonly shape: readonly number[];
  readonly axis: number;
  readonly x: Layout;
  /** Of the outputs; null: new memory, or that of the elements. */
  readonly z: Layout | null;
  readonly isInPlace: boolean;
  /** Whether each element is computed before, so that none is scanned where it is. */
  readonly isComputed: boolean;
  readonly threads: number;
}

const INTEGERS: Partial<Record<DTypeName, DTypeName>> = {
  bool: 'int64',
  int8: 'int64',
  int16: 'int64',
  int32: 'int64',
  int64: 'int64',
  uint8: 'uint64',
  uint16: 'uint64',
  uint32: 'uint64',
  uint64: 'uint64',
};
const FLOATS: readonly DTypeName[] = ['float32', 'float64'];
const TYPES = [...Object.keys(INTEGERS), ...FLOATS] as DTypeName[];

const WAYS = ['plain', 'plain', 'plain', 'padded', 'reversed', 'every second'];

function layouts(shape: readonly number[], ways: readonly string[]): fc.Arbitrary<Layout> {
  const axes = [...shape.keys()];
  const order = fc.shuffledSubarray(axes, { minLength: axes.length });
  const each = fc.tuple(...axes.map(() => fc.constantFrom(...ways)));
  return fc.tuple(order, each).map(([known, own]) => {
    const strides = axes.map(() => 0);
    let [step, offset] = [1, 0];
    for (const axis of known) {
      const [length, way] = [shape[axis] as number, own[axis] as string];
      if (way === 'repeated') continue;
      strides[axis] = way === 'reversed' ? -step : way === 'every second' ? 2 * step : step;
      if (way === 'reversed') offset += (length - 1) * step;
      step *= way === 'padded' ? length + 3 : way === 'every second' ? 2 * length : length;
    }
    return { strides, offset, length: step };
  });
}

/** Lengths whose product is up to some tiles of 16,384 elements, with axes just longer than their sides. */
const shapes = fc
  .oneof(
    fc.array(fc.constantFrom(1, 2, 3, 5, 9), { minLength: 1, maxLength: 5 }),
    fc.array(fc.constantFrom(1, 15, 17, 33, 65, 130), { minLength: 1, maxLength: 3 }),
    fc.constantFrom([3, 33, 2, 65], [2, 1030, 17], [65, 5, 3, 33]),
    // So few outputs that threads share leaves.
    fc.constantFrom([100_000], [33_000, 3], [2, 50_000]),
    fc
      .tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }))
      .map(([rows, columns]) => [rows, columns]),
  )
  .filter((shape) => shape.reduce((a, b) => a * b, 1) <= 100_000);

const cases: fc.Arbitrary<Case> = shapes.chain((shape) =>
  fc
    .record({
      type: fc.constantFrom(...TYPES, ...FLOATS, ...FLOATS),
      operation: fc.constantFrom('sum' as const, 'product' as const),
      shape: fc.constant(shape),
      axis: fc.nat(shape.length - 1),
      x: layouts(shape, [...WAYS, 'repeated']),
      z: fc.option(layouts(shape, WAYS)),
      isInPlace: fc.boolean(),
      isComputed: fc.constantFrom(false, false, false, true),
      threads: fc.constantFrom(1, 3),
    })
    .map((one) => ({ ...one, isInPlace: one.isInPlace && canBeInPlace(one) })),
);

function canBeInPlace({ type, x, z, shape }: Omit<Case, 'isInPlace'>): boolean {
  const isRepeated = x.strides.some((stride, axis) => stride === 0 && (shape[axis] as number) > 1);
  return z === null && !isRepeated && (INTEGERS[type] ?? type) === type;
}

const scans = {
  sum: scan(
    'sums',
    { inputs: { x: 'float64' }, outputs: { y: 'float64' } },
    { map: 'x + x', reduce: 'a + b' },
  ),
  product: scan(
    'products',
    { inputs: { x: 'float64' }, outputs: { y: 'float64' } },
    { map: 'x + x', reduce: 'a * b' },
  ),
};

/** The places of all elements, in C order. */
function placesOf(shape: readonly number[], { strides, offset }: Layout): number[] {
  let places = [offset];
  for (const [axis, length] of shape.entries()) {
    const step = strides[axis] as number;
    places = places.flatMap((place) => Array.from({ length }, (_, index) => place + index * step));
  }
  return places;
}

/** Scans an output as ADR 36 says, from the first element to each. */
function scanOf<T extends number | bigint>(
  elements: readonly T[],
  combine: (a: T, b: T) => T,
): T[] {
  const leaf = Math.max(64, Math.ceil(elements.length / 256));
  let before: T | null = null;
  let own = elements[0] as T;
  let total = own;
  return elements.map((element, index) => {
    if (index % leaf === 0 && index > 0) before = total;
    own = index % leaf === 0 ? element : combine(own, element);
    total = before === null ? own : combine(before, own);
    return total;
  });
}

function expectedOf(
  { type, operation, shape, axis, isComputed }: Case,
  elements: readonly (number | bigint)[],
) {
  const length = shape[axis] as number;
  const inner = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
  const expected: (number | bigint)[] = [];
  const isWhole = !isComputed && INTEGERS[type] !== undefined;
  const wrap = INTEGERS[type] === 'uint64' ? BigInt.asUintN : BigInt.asIntN;
  const ofBigInts = (a: bigint, b: bigint) => wrap(64, operation === 'sum' ? a + b : a * b);
  const ofNumbers = (a: number, b: number) => (operation === 'sum' ? a + b : a * b);
  for (let first = 0; first < elements.length; first++) {
    if (Math.floor(first / inner) % length !== 0) continue;
    const own = Array.from({ length }, (_, index) => elements[first + index * inner]);
    const scanned: (number | bigint)[] = isWhole
      ? scanOf(
          own.map((one) => BigInt(one as number)),
          ofBigInts,
        )
      : scanOf(
          own.map((one) => (isComputed ? 2 : 1) * Number(one)),
          ofNumbers,
        );
    for (const [index, value] of scanned.entries()) {
      expected[first + index * inner] =
        type === 'float32' && !isComputed ? Math.fround(value as number) : value;
    }
  }
  return expected;
}

function numberOf(type: DTypeName, index: number): number {
  if (type.startsWith('float')) return 1 + Math.sin(index) / 8;
  const own = (index * 7919) % 13;
  return type === 'bool' ? own % 4 : type.startsWith('u') ? own : own - 6;
}

async function over(
  type: DTypeName,
  { strides, offset, length }: Layout,
  shape: readonly number[],
) {
  const { itemsize } = dtype(type);
  // Bools may be any byte.
  const kept = type === 'bool' ? 'uint8' : type;
  const numbers = Float64Array.from({ length }, (_, index) => numberOf(type, index));
  const block = await host.array(numbers, { dtype: kept, casting: 'unsafe' });
  const array = makeDescriptor({
    pointer: block.pointer + BigInt(offset * itemsize),
    shape,
    byteStrides: strides.map((step) => step * itemsize),
    dtype: type,
    owner: block.memory,
  });
  return { block, array };
}

test('scans of the host have the bits of leaves in any layout, whoever has which tile', async () => {
  const property = fc.asyncProperty(cases, async (one) => {
    const { type, operation, shape, axis, x, z, isInPlace, isComputed, threads } = one;
    const queue = host.createQueue({ threads });
    const made = isComputed ? 'float64' : (INTEGERS[type] ?? type);
    const own = await over(type, x, shape);
    const given = z === null ? null : await over(made, z, shape);
    const before = [...((await host.toTypedArray(own.block)) as Float64Array)];
    const elements = placesOf(shape, x).map((place) =>
      type === 'bool' ? Number(before[place] !== 0) : (before[place] as number),
    );
    const isOver = isInPlace && (!isComputed || type === 'float64');
    const out = isOver ? own.array : given?.array;
    const options = { axis, queue };
    const expected = expectedOf(one, elements);
    const chosen = { ...options, ...(out && { out }) } as never;
    const named = { ...options, casting: 'unsafe', ...(out && { out: { y: out } }) } as never;
    const ready = operation === 'sum' ? cumulativeSum : cumulativeProd;
    const result = isComputed
      ? ((await scans[operation](host, { x: own.array }, named)) as { y: typeof own.block }).y
      : ((await ready(host, own.array, chosen)) as typeof own.block);
    const written = isOver ? own.block : given === null ? result : given.block;
    const all = [...((await host.toTypedArray(written)) as Float64Array)];
    const layout = isOver ? x : z;
    const got = layout === null ? all : placesOf(shape, layout).map((place) => all[place]);
    const wrong = got.findIndex((value, index) => !Object.is(value, expected[index]));
    expect([wrong, got[wrong]]).toEqual([-1, undefined]);
    for (const array of [own.block, given?.block, out === undefined ? result : null])
      array?.dispose();
  });
  await fc.assert(property, random(150));
}, 300_000);
