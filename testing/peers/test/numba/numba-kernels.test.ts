import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { randomSeed, sample } from '@array-interface/random';
import { expect, test } from 'vitest';
import { pythonOf, simulator } from '../support/python.js';

// Kernels of every kind that Numba compiles, interpreted by the simulator, against NumPy. The
// program says `ok` or `FAIL` for each group of them. It runs a part of the groups if
// ARRAY_INTERFACE_RUNS is below 1: Numba takes seconds to compile one.

const GROUPS = [
  'integer_arithmetic',
  'integer_division',
  'shifts',
  'comparisons',
  'bits',
  'float_arithmetic',
  'fused_multiply_add',
  'casts',
  'saturating_casts',
  'functions',
  'functions_with_fastmath',
  'half_precision',
  'complex_numbers',
  'loops',
  'shared_memory',
  'local_memory',
  'atomics',
  'warps',
  'grids',
  'calls',
  'records',
  'constants',
  'strides',
  'selection',
];

test('kernels that Numba compiled compute the same as NumPy', { timeout: 900_000 }, () => {
  const [node, command] = simulator;
  const program = fileURLToPath(new URL('../../python/kernels/numba_kernels.py', import.meta.url));
  const seed = process.env.FAST_CHECK_SEED ?? '1';
  const groups = sample(GROUPS, randomSeed());
  const args = [command, pythonOf('cuda'), program, seed, ...groups];
  const { stdout, stderr } = spawnSync(node, args, {
    encoding: 'utf8',
    env: { ...process.env, CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING: '1' },
  });
  const lines = stdout.trim().split('\n');
  expect(
    lines.filter((line) => !line.startsWith('ok ')),
    stderr,
  ).toEqual([]);
  expect(
    lines.map((line) => line.split(' ')[1]),
    stderr,
  ).toEqual(groups);
});
