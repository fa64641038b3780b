import { expect, it } from 'vitest';
import { readCount, readDimension, readPointer } from '../../src/input/integer.js';
import { expectRefusal, refusal } from '../support/refusal.js';

const MOST = 2n ** 53n - 1n;

it('counts are exact up to 2^53 - 1 on either side', () => {
  expect(readCount(MOST, 'offset')).toBe(Number(MOST));
  expect(readCount(-MOST, 'offset')).toBe(-Number(MOST));
  expectRefusal(() => readCount(MOST + 1n, 'offset'), 'ERR_OVERFLOW', 'offset');
  expectRefusal(() => readCount(-MOST - 1n, 'offset'), 'ERR_OVERFLOW', 'offset');
});

it('zero has no sign', () => {
  expect(readCount(-0, 'offset')).toBe(0);
  expect(readDimension(-0, 'shape')).toBe(0);
  expect(readDimension(0n, 'shape')).toBe(0);
  expect(readPointer(-0, 'pointer')).toBe(0n);
});

it('integers are shown up to 2^128 on either side', () => {
  const shown = (value: bigint) => refusal(() => readCount(value, 'offset')).message;
  for (const value of [2n ** 128n - 1n, 1n - 2n ** 128n]) {
    expect(shown(value)).toContain(`got ${value};`);
  }
  for (const value of [2n ** 128n, -(2n ** 128n)]) {
    expect(shown(value)).toContain('got an integer past 2^128;');
  }
});
