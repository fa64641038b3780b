import { dtype } from '@array-interface/core';
import { expect, test } from 'vitest';
import { LARGEST_SIDE, nameOf, randomLayouts } from '../layouts/random.mjs';

const layouts = randomLayouts(1, 200);

/** Bytes from the lowest to the highest that a side touches, and the lowest. */
function extentOf({ type, shape, byteStrides, offset }) {
  const reach = byteStrides.map((stride, axis) => (shape[axis] - 1) * stride);
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const low = offset + sum(reach.filter((step) => step < 0));
  const high = offset + sum(reach.filter((step) => step > 0)) + dtype(type).itemsize;
  return { low, high };
}

test('the same seed makes the same layouts, another seed makes others', () => {
  expect(randomLayouts(1, 200)).toEqual(layouts);
  expect(randomLayouts(2, 200)).not.toEqual(layouts);
});

test('all layouts fit in their blocks, and are as large as the page says', () => {
  for (const layout of layouts) {
    const name = nameOf(layout);
    for (const side of layout) {
      const { low, high } = extentOf(side);
      expect(low, name).toBeGreaterThanOrEqual(0);
      expect(high, name).toBeLessThanOrEqual(LARGEST_SIDE);
    }
    const count = layout[0].shape.reduce((a, b) => a * b, 1);
    expect(count, name).toBeLessThan(2 ** 25.5);
    expect(layout[0].shape.length, name).toBeLessThanOrEqual(6);
  }
});

test('about a third convert or swap bytes, and none is a single memcpy', () => {
  const converted = layouts.filter(([to, from]) => to.type !== from.type);
  expect(converted.length / layouts.length).toBeGreaterThan(0.2);
  expect(converted.length / layouts.length).toBeLessThan(0.5);
  for (const [to, from] of layouts.filter((layout) => !converted.includes(layout))) {
    expect(to.byteStrides).not.toEqual(from.byteStrides);
  }
});
