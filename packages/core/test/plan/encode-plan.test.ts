import { expect, test } from 'vitest';
import { NUMBER_TYPES, type NumberType } from '../../src/numbers/conversion.js';
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
  expect([...numbers.slice(2, 5)]).toEqual([4, 2, -1]);
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
  expect([...encodePlan({ ...PLAN, ...none }).slice(2, 5)]).toEqual([4, 0, -1]);
});

test('types have the codes of ElementType in native/kernels/layout/element_type.hpp', () => {
  expect(NUMBER_TYPES.join(' ')).toBe('b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 bf2 f4 f8 c8 c16');
});

test('a type without a code is a number that no addon takes', () => {
  const unknown = 'f16' as NumberType;
  const flags = { swapsSource: false, swapsDestination: false, rounds: false };
  for (const conversion of [
    { from: unknown, to: 'f4' as const },
    { from: 'f4' as const, to: unknown },
  ]) {
    const numbers = encodePlan({ ...PLAN, conversion: { ...conversion, ...flags } });
    expect(numbers.slice(4, 6).some(Number.isNaN)).toBe(true);
  }
});
