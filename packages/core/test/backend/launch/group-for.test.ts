import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupFor } from '../../../src/backend/launch/group-for.js';

test.each([
  [[1000], [256]],
  [[3], [4]],
  [
    [70000, 1],
    [256, 1],
  ],
  [
    [100, 1, 1],
    [64, 1, 1],
  ],
  [
    [100, 3, 1],
    [64, 4, 1],
  ],
  [
    [5, 5, 5],
    [4, 8, 8],
  ],
])('of %j is %j', (range, group) => {
  expect(groupFor(range, 256)).toEqual(group);
});

test.each([1, 2, 3, 100, 255])('has no more than %i items', (most) => {
  const [size] = groupFor([1000], most) as [number];
  expect(size).toBe(2 ** Math.floor(Math.log2(most)));
});

test('is one that every CUDA device takes, whatever the range', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 2 ** 32 - 1 }), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(lengths, (range) => {
      const group = groupFor(range, 256);
      const [x = 1, y = 1, z = 1] = group.toReversed();
      expect(x * y * z).toBeLessThanOrEqual(256);
      expect(z).toBeLessThanOrEqual(64);
      for (const size of group) expect(Number.isInteger(Math.log2(size))).toBe(true);
    }),
  );
});
