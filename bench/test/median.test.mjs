import { expect, test } from 'vitest';
import { median } from '../runner/median.mjs';

test('the median is the middle, or the mean of the two in the middle', () => {
  expect(median([10, 1, 9])).toBe(9);
  expect(median([10, 1, 2, 100])).toBe(6);
});
