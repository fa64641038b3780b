import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readResults, resultsText, withResults } from '../report/page.mjs';
import { isPlotted } from '../report/plot.mjs';
import { readReasons, reasonFor, unexplained } from '../report/reasons.mjs';
import { result } from './result.mjs';

const reasons = {
  copying: {
    'turned: ≥ 0.45 of memcpy': { why: 'The cache is small.', tried: 'Tiles of 16.' },
    'turned: ≥ CuPy': { why: 'No GPU.' },
  },
};

test('a section has the command, the table, the plot, and a reason for each target that was missed', () => {
  const text = resultsText([result], reasons);
  for (const part of [
    '`npm run bench -- copying` repeats it.',
    '| turned | ≥ 0.45 of memcpy | 0.25 | no |',
    '![copying](results/copying.svg)',
    '- **turned, ≥ 0.45 of memcpy**: The cache is small. Tried: Tiles of 16.',
    '- **turned, ≥ CuPy**: No GPU.',
    '| turned | ours | 40.00 ms | 0.25 |',
    'Not run: CuPy: no GPU.',
  ]) {
    expect(text.split('\n')).toContainEqual(expect.stringContaining(part));
  }
  expect(text).not.toContain('**turned, ≥ 2 × NumPy**');
});

test('the results take the place of the earlier ones and of nothing else', () => {
  const page =
    'before\n<!-- results: written by npm run bench -->\nold\n<!-- end of results -->\nafter\n';
  const written = withResults(page, 'new');
  expect(written).toBe(
    'before\n<!-- results: written by npm run bench -->\n\nnew\n<!-- end of results -->\nafter\n',
  );
  expect(withResults(written, 'new')).toBe(written);
});

test('a missed target without a reason is found, and so is one that was not measured', () => {
  expect(unexplained(result, reasons)).toEqual([]);
  expect(unexplained(result, {})).toEqual(['turned: ≥ 0.45 of memcpy', 'turned: ≥ CuPy']);
  expect(unexplained(result, { copying: { '*': { why: 'no GPU' } } })).toEqual([
    'turned: ≥ 0.45 of memcpy',
  ]);
});

test('every result that is kept explains what it missed, has its plot, and is what the page shows', () => {
  const results = readResults();
  const stated = readReasons();
  for (const kept of results) {
    expect(unexplained(kept, stated), kept.name).toEqual([]);
    const plot = new URL(`../results/${kept.name}.svg`, import.meta.url);
    expect(existsSync(plot), kept.name).toBe(isPlotted(kept));
  }
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(withResults(page, resultsText(results, stated))).toBe(page);
});

test('reasons are for benchmarks that there are, and say why', () => {
  for (const [name, ofBenchmark] of Object.entries(readReasons())) {
    expect(existsSync(new URL(`../benchmarks/${name}.mjs`, import.meta.url)), name).toBe(true);
    for (const { why } of Object.values(ofBenchmark)) expect(why).toMatch(/\.$/);
  }
  expect(reasonFor(readReasons(), 'gpu', result.targets[2])).toBeDefined();
});
