import { expect, test } from 'vitest';
import { geometricMean, judge, lowest, wording } from '../runner/judge.mjs';

const turn = (ours, theirs) => ({ ours: { nanoseconds: ours }, memcpy: { nanoseconds: theirs } });

test('a target of speed takes the median of the ratios within a turn, not the ratio of medians', () => {
  const turns = [turn(100, 50), turn(10, 9), turn(1, 1)];
  const judged = judge('copy', { against: 'memcpy', least: 0.9 }, turns);
  expect(judged).toMatchObject({
    work: 'copy',
    target: '≥ 0.9 of memcpy',
    figure: 0.9,
    reached: true,
  });
  expect(judge('copy', { against: 'memcpy', least: 0.91 }, turns).reached).toBe(false);
});

test('a time below its target reaches it', () => {
  const turns = [turn(3000, 2000)];
  expect(judge('call', { against: 'memcpy', most: 1.5 }, turns)).toMatchObject({
    figure: 1.5,
    reached: true,
  });
  expect(judge('call', { most: 2999 }, turns)).toMatchObject({ figure: 3000, reached: false });
});

test('a target may be for a contender other than ours', () => {
  const turns = [{ one: { nanoseconds: 30 }, two: { nanoseconds: 20 } }];
  const target = { who: 'two', against: 'one', least: 1.8 };
  expect(judge('copy', target, turns)).toMatchObject({ figure: 1.5, reached: false });
  expect(judge('copy', { ...target, who: 'three' }, turns).figure).toBeNull();
});

test('a target that did not run is neither reached nor missed', () => {
  const target = { against: 'dpnp', least: 4 };
  for (const turns of [[], [turn(1, 1)]]) {
    expect(judge('copy', target, turns)).toMatchObject({ figure: null, reached: null });
  }
});

test('targets are worded as the issues word them', () => {
  expect(wording({ against: 'dpnp', least: 4 })).toBe('≥ 4 × dpnp');
  expect(wording({ against: 'NumPy', least: 1 })).toBe('≥ NumPy');
  expect(wording({ against: 'memcpy', least: 0.45 })).toBe('≥ 0.45 of memcpy');
  expect(wording({ against: 'dpctl memcpy', most: 1.5 })).toBe('≤ 1.5 × dpctl memcpy');
  expect(wording({ most: 1000 })).toBe('≤ 1 µs');
  expect(wording({ most: 25e6 })).toBe('≤ 25 ms');
});

test('the geometric mean and the lowest figure need all figures', () => {
  expect(geometricMean([2, 8])).toBeCloseTo(4);
  expect(lowest([8, 2])).toBe(2);
  for (const summary of [geometricMean, lowest]) {
    expect(summary([2, null])).toBeNull();
    expect(summary([])).toBeNull();
  }
});
