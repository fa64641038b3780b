import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { knownTo, readPtx, versionOf } from '../kernels/compile/ptxas.mjs';
import { readStatistics } from '../kernels/compile/statistics.mjs';

test('the statistics that ptxas prints are parsed', () => {
  const said = [
    'ptxas info    : 0 bytes gmem',
    "ptxas info    : Compiling entry function 'first' for 'sm_90'",
    'ptxas info    : Function properties for first',
    '    24 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads',
    'ptxas info    : Used 255 registers, used 1 barriers, 16896 bytes smem, 400 bytes cmem[0]',
    "ptxas info    : Compiling entry function 'second' for 'sm_90'",
    'ptxas info    : Function properties for second',
    '    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads',
    'ptxas info    : Used 14 registers, used 0 barriers',
  ];
  expect(readStatistics(said.join('\n'))).toEqual([
    { kernel: 'first', registers: 255, stack: 24, spills: 20, shared: 16896 },
    { kernel: 'second', registers: 14, stack: 0, spills: 0, shared: 0 },
  ]);
  const unknown = said.slice(0, 4).join('\n');
  expect(() => readStatistics(unknown)).toThrow('expected the registers of a kernel');
});

test('a missing ptxas is an error of one line', () => {
  for (const ask of [versionOf, knownTo]) {
    expect(() => ask('/nowhere/ptxas', ['sm_75'])).toThrow(
      'expected ptxas at /nowhere/ptxas, got ENOENT',
    );
  }
});

test('the page has a row for each checked-in kernel', () => {
  const page = readFileSync(new URL('../kernels/README.md', import.meta.url), 'utf8');
  const kernels = Object.values(readPtx()).flatMap((ptx) =>
    [...ptx.matchAll(/^\.visible \.entry (\w+)\(/gm)].map(([, name]) => name),
  );
  expect(kernels.length).toBe(7);
  for (const name of kernels)
    expect(page).toMatch(new RegExp(`^\\| ${name}(, .*)? \\| \\d+ \\|`, 'm'));
});
