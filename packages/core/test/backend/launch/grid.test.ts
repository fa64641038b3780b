import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, groupFor } from '../../../src/backend/launch/grid.js';

const axis = fc.record({
  length: fc.integer({ min: 1, max: 40 }),
  group: fc.integer({ min: 1, max: 6 }),
  limit: fc.integer({ min: 1, max: 20 }),
});

test('a range is cut into pieces of one launch each, which cover all of it', () => {
  const launch = fc.record({
    axes: fc.array(axis, { minLength: 1, maxLength: 3 }),
    extra: fc.nat({ max: 2000 }),
  });
  const property = fc.property(launch, ({ axes, extra }) => {
    const [range, group] = [axes.map(({ length }) => length), axes.map((one) => one.group)];
    const items = group.reduce((product, size) => product * size, 1) + extra; // at least one group
    const groups = axes.map(({ limit }) => limit).reverse(); // x, y, z
    const slots = range.map((_, one) => ({ kind: 'first', axis: one }) as never);
    const limits = { items, groups: [...groups, 1, 1].slice(0, 3) as [number, number, number] };
    let covered = 0;
    const seen = new Set<string>();
    for (const { begin, range: lengths } of cut(range, group, limits, slots)) {
      const inGroups = lengths.map((length, one) => Math.ceil(length / (group[one] as number)));
      const all = inGroups.reduce((product, n, one) => product * n * (group[one] as number), 1);
      expect(all).toBeLessThanOrEqual(items);
      inGroups.forEach((n, one) => {
        expect(n).toBeLessThanOrEqual(axes[one]?.limit as number);
      });
      lengths.forEach((length, one) => {
        expect((begin[one] as number) + length).toBeLessThanOrEqual(range[one] as number);
      });
      covered += lengths.reduce((product, length) => product * length, 1);
      seen.add(String(begin));
    }
    expect(covered).toBe(range.reduce((product, length) => product * length, 1));
    expect(seen.size).toBe(cut(range, group, limits, slots).length);
  });
  fc.assert(property, { numRuns: 2000 });
});

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

test('is one that every CUDA device supports, whatever the range', () => {
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
