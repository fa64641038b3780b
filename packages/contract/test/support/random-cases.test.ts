import { random as repositorys } from '@array-interface/random';
import { afterEach, expect, test, vi } from 'vitest';
import { random } from '../../src/support/random-cases.js';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['1', 100],
  ['0.25', 25],
  ['100', 10_000],
  ['0.001', 1],
])('ARRAY_INTERFACE_RUNS=%s and a seed, as in the repository’s other tests', (factor, numRuns) => {
  vi.stubEnv('ARRAY_INTERFACE_RUNS', factor);
  vi.stubEnv('FAST_CHECK_SEED', '7');
  expect(random()).toEqual({ numRuns, seed: 7 });
  expect(random(3)).toEqual(repositorys(3));
});

test.each(['0', '-1', 'many', 'Infinity'])(
  'ARRAY_INTERFACE_RUNS=%s is not a number of runs',
  (factor) => {
    vi.stubEnv('ARRAY_INTERFACE_RUNS', factor);
    expect(() => random()).toThrow(`a positive number, got '${factor}'`);
    expect(() => repositorys()).toThrow(`a positive number, got '${factor}'`);
  },
);
