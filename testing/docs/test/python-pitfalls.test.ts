import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { missingTests, namingRows } from './support/named-tests.js';
import { root } from './support/pages.js';

const rows = namingRows(readFileSync(path.join(root, 'docs/python-pitfalls.md'), 'utf8'));

test('the pitfalls are found', () => {
  expect(rows.length).toBeGreaterThan(50);
});

test.each(rows)('a test is there for: $about', ({ named }) => {
  expect(named).not.toEqual([]);
  expect(missingTests(named)).toEqual([]);
});

test.each([
  ['packages/python/test/start/ends.test.ts', 'a name that no test has'],
  ['packages/python/test/start/ends.test.ts', 'a thread of Python runs'],
  ['packages/python/test/no-such.test.ts', 'a thread of Python runs while the event loop waits'],
])('%s holds no test “%s”', (file, name) => {
  const [row] = namingRows(`| one | two | [file](../${file}) “${name}” |`);
  expect(missingTests(row?.named ?? [])).toEqual([{ file, name }]);
});
