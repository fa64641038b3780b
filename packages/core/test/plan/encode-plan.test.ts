import { expect, test } from 'vitest';
import type { NumberType } from '../../src/numbers/conversion.js';
import { encodePlan } from '../../src/plan/encode-plan.js';
import type { CopyPlan } from '../../src/plan/plan-copy.js';

const PLAN: CopyPlan = {
  destination: 2n ** 64n - 16n,
  source: 2n ** 53n + 1n,
  unit: 4,
  shape: [2, 3],
  destinationStrides: [12, 4],
  sourceStrides: [-8, 0],
  conversion: null,
  nbytes: 24,
};

test('a plan becomes two addresses and a number for everything else', () => {
  const numbers = encodePlan(PLAN);
  expect([...new BigUint64Array(numbers.buffer, 0, 2)]).toEqual([PLAN.destination, PLAN.source]);
  expect([...numbers.slice(2, 7)]).toEqual([4, 2, -1, -1, 0]);
  expect([...numbers.slice(7, 13)]).toEqual([2, 3, 12, 4, -8, 0]);
});

test.each([
  ['b1', 'c16', false, false, false, [0, 14, 0]],
  ['bf2', 'i8', true, false, true, [10, 4, 5]],
  ['f2', 'f4', false, true, false, [9, 11, 2]],
] as const)(
  'a conversion from %s to %s',
  (from, to, swapsSource, swapsDestination, rounds, expected) => {
    const conversion = { from: from as NumberType, to, swapsSource, swapsDestination, rounds };
    expect([...encodePlan({ ...PLAN, conversion }).slice(4, 7)]).toEqual(expected);
  },
);

test('a plan without axes, after one with many', () => {
  const many = Array.from({ length: 64 }, (_, axis) => axis + 1);
  const strides = { destinationStrides: many, sourceStrides: many };
  expect(encodePlan({ ...PLAN, ...strides, shape: many }).at(-1)).toBe(64);
  const none = { shape: [], destinationStrides: [], sourceStrides: [] };
  expect([...encodePlan({ ...PLAN, ...none }).slice(2, 7)]).toEqual([4, 0, -1, -1, 0]);
});
