import { type Backend, makeDescriptor } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { elementwise, evaluate, evaluateSync } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { random } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import fc from 'fast-check';
import { expect, test } from 'vitest';

// Elements are computed in blocks, by threads and by loops over merged axes. Where one begins, and which rows
// it cuts, may not be seen: arrays of sizes around those of blocks, in any layout, beside plain loops.

/** A layout of int32 elements in a buffer: the strides of axes, in elements, and where the first one is. */
interface Layout {
  readonly strides: readonly number[];
  readonly offset: number;
  readonly length: number;
}

interface Case {
  readonly shape: readonly number[];
  readonly x: Layout;
  readonly y: Layout;
  /** Of the output: no two elements are at one place. */
  readonly z: Layout;
  /** Without indices, axes are merged and turned. */
  readonly hasIndices: boolean;
}

/** Lengths of up to four axes whose product is around one to three blocks of 512, or small. */
const shapes = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
  fc.integer({ min: 500, max: 1600 }).map((length) => [length]),
  fc
    .tuple(fc.integer({ min: 2, max: 600 }), fc.integer({ min: 500, max: 1600 }))
    .map(([row, all]) => [Math.ceil(all / row), row]),
  fc.tuple(fc.constantFrom(1, 2, 3), fc.constantFrom(1, 7, 100), fc.constantFrom(1, 5, 171)),
);

function layouts(shape: readonly number[], ...more: string[]): fc.Arbitrary<Layout> {
  const kinds = fc.array(fc.constantFrom('on', 'on', 'back', 'gaps', ...more), {
    minLength: shape.length,
    maxLength: shape.length,
  });
  const orders = fc.shuffledSubarray([...shape.keys()], {
    minLength: shape.length,
    maxLength: shape.length,
  });
  return fc.tuple(kinds, orders, fc.nat(3)).map(([kind, order, before]) => {
    const strides = shape.map(() => 0);
    let [span, offset] = [1, before];
    for (const axis of order) {
      const length = shape[axis] as number;
      if (kind[axis] === 'same') continue;
      const step = kind[axis] === 'gaps' ? span + 1 : span;
      strides[axis] = kind[axis] === 'back' ? -step : step;
      if (kind[axis] === 'back') offset += step * (length - 1);
      span = step * length;
    }
    return { strides, offset, length: span + before };
  });
}

const cases: fc.Arbitrary<Case> = shapes.chain((shape) =>
  fc.record({
    shape: fc.constant(shape),
    x: layouts(shape, 'same'),
    y: layouts(shape, 'same'),
    z: layouts(shape),
    hasIndices: fc.boolean(),
  }),
);

const elements = ({ length }: Layout, factor: number) =>
  Int32Array.from({ length }, (_, i) => i * factor);
const X = (layout: Layout) => elements(layout, 1);
const Y = (layout: Layout) => elements(layout, 100_003);
const Z = (layout: Layout) => elements(layout, 0).fill(-1);

function textOf({ shape, hasIndices }: Case): string {
  const indices = shape.map((_, axis) => `int32(i${axis}) * ${factorOf(axis)}`);
  return ['x - y', ...(hasIndices ? indices : [])].join(' + ');
}

const factorOf = (axis: number) => 7 ** (axis + 3);

/** What is in the output's buffer then, by a loop that knows nothing of blocks. */
function expectedOf({ shape, x, y, z, hasIndices }: Case): Int32Array {
  const [xs, ys, zs] = [X(x), Y(y), Z(z)];
  const walk = (axis: number, atX: number, atY: number, atZ: number, indices: number) => {
    if (axis === shape.length) {
      zs[atZ] = (xs[atX] as number) - (ys[atY] as number) + indices;
      return;
    }
    const [stepX, stepY, stepZ] = [x, y, z].map(({ strides }) => strides[axis]) as [
      number,
      number,
      number,
    ];
    for (let i = 0; i < (shape[axis] as number); i++) {
      const more = hasIndices ? i * factorOf(axis) : 0;
      walk(axis + 1, atX + i * stepX, atY + i * stepY, atZ + i * stepZ, indices + more);
    }
  };
  walk(0, x.offset, y.offset, z.offset, 0);
  return zs;
}

const layoutOf = ({ strides }: Layout, shape: readonly number[]) => ({
  ...{ shape, dtype: 'int32' as const },
  byteStrides: strides.map((stride) => stride * 4) as never,
});

function inJavaScript(one: Case): Int32Array {
  const { shape, x, y, z } = one;
  const target = Z(z);
  const describe = (layout: Layout, { buffer }: Int32Array) =>
    makeDescriptor({
      ...layoutOf(layout, shape),
      ...{ pointer: layout.offset * 4, buffer: buffer as ArrayBuffer },
    });
  const values = { x: describe(x, X(x)), y: describe(y, Y(y)) };
  evaluateSync(textOf(one), values, { out: describe(z, target) });
  return target;
}

async function on(backend: Backend, one: Case): Promise<Int32Array> {
  const { shape, x, y, z } = one;
  using xs = await backend.array(X(x));
  using ys = await backend.array(Y(y));
  using zs = await backend.array(Z(z));
  const describe = (layout: Layout, { pointer, memory }: typeof xs) =>
    makeDescriptor({
      ...layoutOf(layout, shape),
      ...{ pointer: pointer + BigInt(layout.offset * 4), owner: memory },
    });
  const values = { x: describe(x, xs), y: describe(y, ys) };
  await evaluate(backend, textOf(one), values, { out: describe(z, zs) });
  return new Int32Array((await backend.toTypedArray(zs)) as Int32Array);
}

const PLACES: readonly (readonly [
  name: string,
  compute: (one: Case) => Int32Array | Promise<Int32Array>,
  usual: number,
])[] = [
  ['JavaScript memory', inJavaScript, 300],
  ['the host', (one) => on(host, one), 150],
  ['SYCL', (one) => on(sycl, one), 10],
  ['the simulator', (one) => on(cuda, one), 40],
];

test.each(PLACES)('elements in any layout are where they belong: %s', async (_, compute, usual) => {
  const property = fc.asyncProperty(cases, async (one) => {
    const [got, expected] = [await compute(one), expectedOf(one)];
    if (Buffer.compare(Buffer.from(got.buffer), Buffer.from(expected.buffer)) === 0) return;
    expect([...got]).toEqual([...expected]); // which takes long, equal or not
  });
  await fc.assert(property, random(usual));
});

// Beyond 32 MiB, rows are written past the caches, but for parts of cache lines.
test.each([1, 2])(
  'outputs that no cache could hold are whole, with %i threads',
  async (threads) => {
    const [rows, columns] = [2100, 2051];
    const numbers = Float64Array.from({ length: rows * columns }, (_, index) => index);
    using x = await host.array(numbers, { shape: [rows, columns] });
    using y = await host.full([rows, columns], -1, 'float64');
    using z = await host.full([rows, columns], -1, 'float32');
    const queue = host.createQueue({ threads });
    const sums = elementwise(
      'sums',
      { inputs: { x: 'float64' }, outputs: { y: 'float64', z: 'float32' } },
      'y = x + 1; z = float32(x) * 2',
    );
    const inner = [null, [1, -1]] as const;
    const [ys, zs] = [
      y.slice(inner),
      z.slice([
        [null, null, -1],
        [1, -1],
      ]),
    ];
    await sums(host, { x: x.slice(inner) }, { out: { y: ys, z: zs }, queue });
    const [wide, narrow] = [await host.toTypedArray(y), await host.toTypedArray(z)];
    let wrong = 0;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const at = row * columns + column;
        const isOuter = column === 0 || column === columns - 1;
        const turned = (rows - 1 - row) * columns + column;
        if (wide[at] !== (isOuter ? -1 : at + 1)) wrong++;
        if (narrow[at] !== (isOuter ? -1 : Math.fround(turned) * 2)) wrong++;
      }
    }
    expect(wrong).toBe(0);
  },
);
