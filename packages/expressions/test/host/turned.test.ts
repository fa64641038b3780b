import { permuteDims, reshape } from '@array-interface/core';
import {
  argmax,
  argmin,
  evaluate,
  mean,
  type StandardReduction,
  sum,
  variance,
} from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { expect, test } from 'vitest';

// The host copies some rows of such arrays at once (ADR 36). What lies in C order it reads as it is, and testing/peers
// compares that with NumPy.

/** Shapes, and the order in which their axes lie in memory. */
const TURNED: readonly (readonly [shape: readonly number[], order: readonly number[]])[] = [
  [[700, 3000], [1, 0]],
  [[3, 300_000], [1, 0]],
  [[2, 600_001], [1, 0]],
  [[5, 300, 17, 23], [3, 2, 0, 1]],
  [[9, 40, 1700], [2, 0, 1]],
  [[9, 40, 1700], [0, 2, 1]],
]; // biome-ignore format: rows
const TYPES = ['float64', 'float32', 'uint8'] as const;
const REDUCTIONS: readonly StandardReduction[] = [sum, mean, variance];

test.each(TURNED.flatMap(([shape, order]) => TYPES.map((type) => [shape, order, type] as const)))(
  'an array of %j that lies in memory as axes %j, of %s, has the bits of one in C order',
  async (shape, order, type) => {
    const count = shape.reduce((product, length) => product * length, 1);
    // Floats round at each step, and depend on the order.
    const numbers = Array.from({ length: count }, (_, i) =>
      type === 'uint8' ? (i * 7919) % 251 : 1 + Math.sin(i) * 10 ** (i % 4),
    );
    using block = await host.array(numbers, { dtype: type });
    const x = reshape(block, shape);
    using lying = await host.array(permuteDims(x, order));
    const turned = permuteDims(
      lying,
      order.map((_, axis) => order.indexOf(axis)),
    );
    const behind = shape.map((_, axis) => axis).slice(1);
    for (const threads of [1, 3]) {
      using queue = host.createQueue({ threads });
      const same = async (reduce: StandardReduction, options: object) => {
        using expected = await reduce(host, x, { ...options, queue });
        using got = await reduce(host, turned, { ...options, queue });
        expect(await got.toNested()).toEqual(await expected.toNested());
      };
      for (const reduce of [...REDUCTIONS, argmin, argmax]) await same(reduce, {});
      for (const reduce of REDUCTIONS) await same(reduce, { axis: behind });
      // One of two operands is turned.
      using product = await evaluate(host, 'sum(x * y)', { x: turned, y: x }, { queue });
      using square = await evaluate(host, 'sum(x * x)', { x }, { queue });
      expect(await product.item()).toEqual(await square.item());
    }
  },
  120_000,
);
