import { expect, test } from 'vitest';
import { plot, specification } from '../report/plot.mjs';
import { result } from './result.mjs';

const marksOf = (measured) =>
  specification(measured).vconcat.map(({ layer }) =>
    layer[2].data.values.map(({ value }) => value),
  );

test('a mark shows where our bar reaches its target', () => {
  expect(marksOf(result)).toEqual([[0.45, 0.2]]); // relative to memcpy at 1, and to NumPy at 0.1
  const times = { ...result, plot: { field: 'nanoseconds', title: 'time' } };
  expect(marksOf(times)[0][0]).toBeCloseTo(1e7 / 0.45);
  const most = [
    { work: 'turned', most: 500 },
    { work: 'turned', against: 'NumPy', most: 1.5 },
  ];
  expect(marksOf({ ...times, targets: most })).toEqual([[500, 1.5e8]]);
});

test('an SVG shows each contender with its figure', async () => {
  const svg = await plot(result);
  expect(svg).toMatch(/^<svg [^>]*width="\d+" height="\d+"/);
  for (const text of ['turned', 'ours', 'memcpy', 'NumPy', '0.25', '1.00']) {
    expect(svg).toContain(`>${text}</text>`);
  }
  expect(await plot(result)).toBe(svg);
});

test('with a single other contender, each work that both measured is a point', async () => {
  const row = (work, who, nanoseconds) => ({ work, who, nanoseconds });
  const rows = [row('a', 'ours', 1e6), row('a', 'NumPy', 2e6), row('b', 'ours', 3e6)];
  const random = { ...result, rows, plot: { ...result.plot, against: 'NumPy' } };
  expect(specification(random).layer[1].data.values).toEqual([{ work: 'a', ours: 1, theirs: 2 }]);
  expect(await plot(random)).toMatch(/^<svg /);
});
