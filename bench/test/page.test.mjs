import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readResults, resultsText, withResults } from '../report/page.mjs';
import { isPlotted } from '../report/plot.mjs';
import { readReasons, reasonFor, unexplained } from '../report/reasons.mjs';
import { benchmarksIn } from '../runner/apart.mjs';
import { result } from './result.mjs';

const reasons = {
  copying: [
    { targets: ['turned: ≥ 0.45 of memcpy'], why: 'The cache is small.' },
    { targets: ['turned: ≥ CuPy'], why: 'No GPU.' },
  ],
};

test('the page shows the machine, each target with its figure, the plot, and why targets were missed', () => {
  const lines = resultsText([result], reasons).split('\n');
  for (const line of [
    'Measured on CPU, 2 cores, 8 GiB, Node v20. Figures in **bold** miss their targets.',
    '| [copying](results/copying.svg), 2026-01-02, load 0.1 | turned | **0.25** (≥ 0.45 of memcpy), ' +
      '2.50 × (≥ 2 × NumPy), not measured (≥ CuPy) |',
    'Not run in `copying`: CuPy: no GPU.',
    '- **copying: turned, ≥ 0.45 of memcpy**: The cache is small.',
    '- **copying: turned, ≥ CuPy**: No GPU.',
  ]) {
    expect(lines).toContain(line);
  }
  expect(lines.filter((line) => line.startsWith('- **'))).toHaveLength(2);
});

test('each further kind of work has a row of its own', () => {
  const other = { ...result.targets[1], work: 'reversed' };
  const text = resultsText([{ ...result, targets: [result.targets[1], other] }], reasons);
  expect(text).toContain(
    '| turned | 2.50 × (≥ 2 × NumPy) |\n|  | reversed | 2.50 × (≥ 2 × NumPy) |\n',
  );
});

test('targets with the same reason are explained together', () => {
  const targets = ['turned: ≥ 0.45 of memcpy', 'turned: ≥ CuPy'];
  const text = resultsText([result], { copying: [{ targets, why: 'No reason.' }] });
  expect(text).toContain('- **copying: turned, ≥ 0.45 of memcpy; turned, ≥ CuPy**: No reason.\n');
});

test('a result without targets or a plot has a row, too', () => {
  const bare = { ...result, rows: [], targets: [], plot: { against: 'NumPy' } };
  expect(resultsText([bare], {}).split('\n')).toContain(
    '| [copying](results/copying.json), 2026-01-02, load 0.1 |  |  |',
  );
});

test('new results replace the earlier ones and nothing else', () => {
  const page =
    'before\n<!-- results: written by npm run bench -->\nold\n<!-- end of results -->\nafter\n';
  const written = withResults(page, 'new');
  expect(written).toBe(
    'before\n<!-- results: written by npm run bench -->\n\nnew\n<!-- end of results -->\nafter\n',
  );
  expect(withResults(written, 'new')).toBe(written);
});

test('missed and unmeasured targets without a reason are found', () => {
  expect(unexplained(result, reasons)).toEqual([]);
  expect(unexplained(result, {})).toEqual(['turned: ≥ 0.45 of memcpy', 'turned: ≥ CuPy']);
  expect(unexplained(result, { copying: [{ targets: ['*'], why: 'no GPU' }] })).toEqual([
    'turned: ≥ 0.45 of memcpy',
  ]);
});

test('every stored result has its plot and its reasons, and the page shows it', () => {
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

test('all reasons are sentences about existing benchmarks', () => {
  const benchmarks = [...benchmarksIn(fileURLToPath(new URL('..', import.meta.url))).keys()];
  for (const [name, ofBenchmark] of Object.entries(readReasons())) {
    expect(benchmarks, name).toContain(name);
    for (const { why } of ofBenchmark) expect(why).toMatch(/\.$/);
  }
  expect(reasonFor(readReasons(), 'gpu', result.targets[2])).toBeDefined();
});
