import { type ArrayDescriptor, type Backend, makeDescriptor } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { evaluate, evaluateSync } from '@array-interface/expressions';
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
}

/** Lengths of up to four axes whose product is around one to three blocks of 512, or small. */
const shapes = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
  fc.integer({ min: 500, max: 1600 }).map((length) => [length]),
  fc.tuple(fc.integer({ min: 2, max: 600 }), fc.integer({ min: 500, max: 1600 })).map(([row, all]) => [Math.ceil(all / row), row]), // biome-ignore format: one line
  fc.tuple(fc.constantFrom(1, 2, 3), fc.constantFrom(1, 7, 100), fc.constantFrom(1, 5, 171)),
);

function layouts(shape: readonly number[]): fc.Arbitrary<Layout> {
  const kinds = fc.array(fc.constantFrom('on', 'on', 'back', 'gaps', 'same'), {
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
  fc.record({ shape: fc.constant(shape), x: layouts(shape), y: layouts(shape) }),
);

const elements = ({ length }: Layout, factor: number) => Int32Array.from({ length }, (_, i) => i * factor); // biome-ignore format: one line
const X = (layout: Layout) => elements(layout, 1);
const Y = (layout: Layout) => elements(layout, 100_003);

const TEXT = (shape: readonly number[]) =>
  ['x - y', ...shape.map((_, axis) => `int32(i${axis}) * ${7 ** (axis + 3)}`)].join(' + ');

/** What TEXT is, by a loop that knows nothing of blocks. */
function expectedOf({ shape, x, y }: Case): number[] {
  const [xs, ys] = [X(x), Y(y)];
  const found: number[] = [];
  const walk = (axis: number, atX: number, atY: number, indices: number) => {
    if (axis === shape.length) {
      found.push(((xs[atX] as number) - (ys[atY] as number) + indices) | 0);
      return;
    }
    for (let i = 0; i < (shape[axis] as number); i++) {
      const [stepX, stepY] = [x.strides[axis] as number, y.strides[axis] as number];
      walk(axis + 1, atX + i * stepX, atY + i * stepY, indices + i * 7 ** (axis + 3));
    }
  };
  walk(0, x.offset, y.offset, 0);
  return found;
}

const bytesOf = ({ strides }: Layout) => strides.map((stride) => stride * 4) as never;

function inJavaScript({ shape, x, y }: Case): ArrayLike<number> {
  const describe = (layout: Layout, { buffer }: Int32Array) =>
    makeDescriptor({ pointer: layout.offset * 4, shape, byteStrides: bytesOf(layout), dtype: 'int32', buffer: buffer as ArrayBuffer }); // biome-ignore format: one line
  const made: ArrayDescriptor = evaluateSync(TEXT(shape), {
    x: describe(x, X(x)),
    y: describe(y, Y(y)),
  });
  return new Int32Array(made.buffer as ArrayBuffer);
}

async function on(backend: Backend, { shape, x, y }: Case): Promise<ArrayLike<number>> {
  using xs = await backend.array(X(x));
  using ys = await backend.array(Y(y));
  const describe = (layout: Layout, { pointer, memory }: typeof xs) =>
    makeDescriptor({
      pointer: pointer + BigInt(layout.offset * 4),
      ...{ shape, byteStrides: bytesOf(layout), dtype: 'int32', owner: memory },
    });
  using made = await evaluate(backend, TEXT(shape), { x: describe(x, xs), y: describe(y, ys) });
  return (await backend.toTypedArray(made)) as Int32Array;
}

const PLACES: readonly (readonly [
  name: string,
  compute: (one: Case) => ArrayLike<number> | Promise<ArrayLike<number>>,
  usual: number,
])[] = [
  ['JavaScript memory', inJavaScript, 300],
  ['the host', (one) => on(host, one), 150],
  ['SYCL', (one) => on(sycl, one), 10],
  ['the simulator', (one) => on(cuda, one), 40],
];

test.each(PLACES)('elements in any layout are where they belong: %s', async (_, compute, usual) => {
  const property = fc.asyncProperty(cases, async (one) => {
    expect([...Array.from(await compute(one))]).toEqual(expectedOf(one));
  });
  await fc.assert(property, random(usual));
});
