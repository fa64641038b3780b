import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, root } from './support/pages.js';

// Beside the package's node_modules, not in it: vitest leaves what lies there as it is.
const folder = path.join(import.meta.dirname, '..', '.vitest', 'contract');
const page = 'packages/contract/README.md';
const text = readFileSync(path.join(root, page), 'utf8');
const [block] = blocksOf({ page, text }).filter(({ language }) => language === 'ts');

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

/** Has vitest run a test file as a user does, with a timeout as the page says. Gives its report. */
function reportOf(code: string, ...more: readonly string[]) {
  writeFileSync(path.join(folder, 'mine.test.ts'), code);
  writeFileSync(path.join(folder, 'vitest.config.mjs'), 'export default {};');
  const vitest = path.join(root, 'node_modules', '.bin', 'vitest');
  const reporting = ['--reporter=json', '--outputFile=report.json'];
  const args = ['run', ...reporting, '--testTimeout=600000', ...more];
  const { status } = spawnSync(vitest, args, { cwd: folder, encoding: 'utf8' });
  return { status, ...JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) };
}

test('the page’s test file passes, and skips nothing', () => {
  const { status, numTotalTests, numPassedTests } = reportOf(block?.code ?? '');
  expect(status).toBe(0);
  expect(numPassedTests).toBe(numTotalTests);
  const [, told] = /(\d+) tests follow/.exec(text) ?? [];
  expect(numTotalTests, 'as many as the page says').toBe(Number(told));
});

test('and fails if a kernel computes something else', () => {
  const wrong = block?.code.replace('factor * source[i]! +', 'source[i]! +') ?? '';
  const { status, numFailedTests } = reportOf(wrong, '--bail=1');
  expect(status).toBe(1);
  expect(numFailedTests).toBeGreaterThan(0);
});
