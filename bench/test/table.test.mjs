import { expect, test } from 'vitest';
import { markdown, table, targetCells } from '../report/table.mjs';
import { result } from './result.mjs';

test('the terminal shows medians, targets and what did not run, in columns', () => {
  expect(table(result).split('\n')).toEqual([
    '          who     median     speed, memcpy = 1',
    '  turned  memcpy  10.00 ms   1.00',
    '  turned  ours    40.00 ms   0.25',
    '  turned  NumPy   100.00 ms  0.10',
    '',
    '          target            measured  reached',
    '  turned  ≥ 0.45 of memcpy  0.25      no',
    '  turned  ≥ 2 × NumPy       2.50 ×    yes',
    '  turned  ≥ CuPy                      not measured',
    '',
    '  not run: CuPy: no GPU',
  ]);
});

test('bytes have a column if they were counted, and times have a readable unit', () => {
  const rows = [
    { work: 'read', who: 'ours', nanoseconds: 587.1, bytes: 661 },
    { work: 'read', who: 'NumPy', nanoseconds: 1204.4 },
  ];
  const measured = { ...result, rows, targets: [], notRun: [] };
  expect(table(measured).split('\n').slice(1)).toEqual([
    '  read  ours   587 ns   661 B',
    '  read  NumPy  1.20 µs',
  ]);
});

test('Markdown has a row for each target', () => {
  expect(markdown(targetCells(result)).split('\n')).toEqual([
    '|  | target | measured | reached |',
    '| --- | --- | --- | --- |',
    '| turned | ≥ 0.45 of memcpy | 0.25 | no |',
    '| turned | ≥ 2 × NumPy | 2.50 × | yes |',
    '| turned | ≥ CuPy |  | not measured |',
  ]);
});
