import { makeDescriptor } from '@array-interface/core';
import { countNonzero, prod, reduction, sum } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { expect, test } from 'vitest';

// Elements of integers are combined in any order, those that repeat once (ADR 36). Here each is taken
// in its turn.

const INT64 = { inputs: { x: 'int64', w: 'int64' }, outputs: { y: 'int64' } } as const;
const OPERATIONS: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  'a + b': (a, b) => a + b,
  'a * b': (a, b) => a * b,
  'a ^ b': (a, b) => a ^ b,
};
/** Shapes, and the steps of x and w in elements. The last axis is kept, the others are reduced. */
const LAYOUTS = [
  [[1, 5], [0, 1], [0, 1]],
  [[2, 3], [0, 1], [0, 1]],
  [[7, 40, 5], [0, 5, 1], [0, 5, 1]],
  [[40, 8, 5], [5, 0, 1], [5, 0, 1]],
  [[9, 11, 4], [0, 0, 1], [0, 0, 1]],
  [[9, 11, 4], [0, 4, 1], [40, 4, 1]],
  [[33, 50, 1], [0, -1, 0], [0, -1, 0]],
  [[3, 40, 30], [-1200, -30, 1], [-1200, -30, 1]],
  [[2, 300_000, 1], [0, 1, 0], [0, 1, 0]],
  [[20_000, 5, 1], [1, 0, 0], [1, 0, 0]],
] as const; // biome-ignore format: in rows

const wrap = (value: bigint) => BigInt.asIntN(64, value);
/** A number for each index, with all bits. */
const numberAt = (index: number) => wrap(BigInt(index + 1) * 0x9e37_79b9_7f4a_7c15n) | 1n;

/** The index of each element, from the one at the least address on. */
function placesOf(shape: readonly number[], steps: readonly number[]): number[] {
  let places = [0];
  for (const [axis, length] of shape.entries()) {
    const step = steps[axis] as number;
    const first = step < 0 ? step * (1 - length) : 0;
    const along = Array.from({ length }, (_, index) => first + index * step);
    places = places.flatMap((place) => along.map((more) => place + more));
  }
  return places;
}

test.each([1, 3])('elements that repeat or are reversed, with %i threads', async (threads) => {
  using queue = host.createQueue({ threads });
  using x = await host.array(
    BigInt64Array.from({ length: 300_000 }, (_, index) => numberAt(index)),
  );
  using w = await host.array(
    BigInt64Array.from({ length: 300_000 }, (_, i) => numberAt(7 * i + 3)),
  );
  for (const [shape, xSteps, wSteps] of LAYOUTS) {
    const view = ({ pointer, memory: owner }: typeof x, steps: readonly number[]) => {
      const first = placesOf(shape, steps)[0] as number;
      const byteStrides = steps.map((step) => 8 * step);
      const at = pointer + BigInt(8 * first);
      return makeDescriptor({ pointer: at, shape, byteStrides, dtype: 'int64', owner });
    };
    const operands = { x: view(x, xSteps), w: view(w, wSteps) };
    const ofX = placesOf(shape, xSteps).map(numberAt);
    const ofW = placesOf(shape, wSteps).map((place) => numberAt(7 * place + 3));
    const columns = shape.at(-1) as number;
    for (const [reduce, apply] of Object.entries(OPERATIONS)) {
      const expected = Array.from({ length: columns }, (_, column) => {
        const own = ofX.map((one, at) => wrap(one * (ofW[at] as bigint)));
        const rows = own.filter((_, at) => at % columns === column);
        return rows.reduce((a, b) => wrap(apply(a, b)));
      });
      const own = reduction('own', INT64, { map: 'x * w', reduce, post: 'y = a' });
      const axis = shape.slice(0, -1).map((_, at) => at);
      using made = (await own(host, operands, { axis, queue })).y;
      expect([reduce, shape, await made.toNested()]).toEqual([reduce, shape, expected]);
    }
  }
});

test.each([1, 8, 32, 100, 256, 300])('counts of %i columns', async (columns) => {
  for (const rows of [1, 127, 128, 129, 255, 256, 257, 385, 1000]) {
    using x = await host.array(new Uint8Array(rows * columns).fill(7), { shape: [rows, columns] });
    using wide = await countNonzero(host, x, { axis: 0 });
    expect(await wide.toNested()).toEqual(Array.from({ length: columns }, () => BigInt(rows)));
    using whole = await countNonzero(host, x);
    expect(await whole.item()).toBe(BigInt(rows * columns));
    using bools = await host.array(x, { dtype: 'bool', casting: 'unsafe' });
    using added = await sum(host, bools, { axis: 0 });
    expect(await added.toNested()).toEqual(await wide.toNested());
  }
});

test.each(['int16', 'int32', 'uint8'] as const)('products of %s', async (dtype) => {
  const most = dtype === 'uint8' ? 255 : 2 ** (dtype === 'int16' ? 15 : 31) - 1;
  // Odd, so that no product is 0; of both signs where there are two.
  const oddAt = (index: number) => Number(numberAt(index) % BigInt(most)) | 1;
  const rows = Array.from({ length: 41 }, (_, row) =>
    Array.from({ length: 37 }, (_, column) => {
      const one = oddAt(row * 37 + column);
      return dtype === 'uint8' ? Math.abs(one) : one;
    }),
  );
  using x = await host.array(rows, { dtype });
  using down = await prod(host, x, { axis: 0 });
  using along = await prod(host, x, { axis: 1 });
  const product = (numbers: readonly number[]) =>
    numbers.reduce((made, one) => wrap(made * BigInt(one)), 1n);
  const columns = (rows[0] as number[]).map((_, at) => rows.map((row) => row[at] as number));
  const signed = async (array: typeof down) =>
    ((await array.toNested()) as bigint[]).map((one) => wrap(BigInt(one)));
  expect(await signed(down)).toEqual(columns.map(product));
  expect(await signed(along)).toEqual(rows.map(product));
});
