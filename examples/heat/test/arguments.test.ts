import { describe, expect, test } from 'vitest';
import { readArguments, writeArguments } from '../src/arguments.js';
import { commandOf } from '../src/launch.js';
import { Refusal } from '../src/refusal.js';
import { shareOf } from '../src/share.js';

describe('arguments', () => {
  test('have defaults, and are read back as they were written', () => {
    const given = readArguments(['--venv', '/venv', '--ranks', '3']);
    expect(given).toMatchObject({ ranks: 3, memory: 'host', rows: 200, columns: 300, steps: 500 });
    expect(readArguments(writeArguments(given))).toEqual(given);
  });

  test.each([
    ['--venv', ['--ranks', '2']],
    ['--ranks', ['--venv', '/v', '--ranks', '0']],
    ['--ranks', ['--venv', '/v', '--ranks', '1.5']],
    ['--ranks of at most 3', ['--venv', '/v', '--ranks', '4', '--columns', '3']],
    ['--rows from 3', ['--venv', '/v', '--rows', '2']],
    ['--steps', ['--venv', '/v', '--steps', '-1']],
    ['--memory host, sycl or cuda', ['--venv', '/v', '--memory', 'disk']],
    ['--colour', ['--venv', '/v', '--colour', 'red']],
  ])('a wrong %s is refused', (what, args) => {
    expect(() => readArguments(args)).toThrow(Refusal);
    expect(() => readArguments(args)).toThrow(what);
  });
});

test('the columns are shared evenly, and none is left out', () => {
  for (const [columns, size] of [
    [7, 3],
    [3, 3],
    [1, 1],
    [1000, 7],
  ] as const) {
    const shares = Array.from({ length: size }, (_, rank) => shareOf(columns, rank, size));
    const widths = shares.map(({ first, end }) => end - first);
    expect(shares.map(({ first }) => first)).toEqual([
      0,
      ...shares.slice(0, -1).map(({ end }) => end),
    ]);
    expect(shares.at(-1)?.end).toBe(columns);
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1);
  }
});

test('mpiexec starts Node and Python themselves, and the last rank is plain Python', () => {
  const command = (ranks: number) =>
    commandOf(readArguments(['--venv', '/venv', '--ranks', String(ranks)]));
  const alone = command(1);
  expect(alone.slice(0, 4)).toEqual(['mpiexec', '-n', '1', process.execPath]);
  expect(alone).not.toContain(':');
  const three = command(3);
  expect(three.slice(0, 4)).toEqual(['mpiexec', '-n', '2', process.execPath]);
  expect(three.slice(three.indexOf(':'), -7)).toEqual([
    ':',
    '-n',
    '1',
    '/venv/bin/python',
    '-m',
    'mpi4py',
  ]);
});
