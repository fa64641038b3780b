import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { missingTests, namedIn } from './support/named-tests.js';
import { root } from './support/pages.js';

const page = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');

/** The text of a section. */
function section(heading: string): string {
  return page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}

const rows = section('Who may not get what')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| attacker'))
  .map((text) => ({ text, about: text.split(' | ').slice(0, 2).join(' may not ') }));
const promises = section('What is promised')
  .split(/^- /m)
  .slice(1)
  .map((text) => ({ text, about: text.split('\n', 1)[0] as string }));

test('the promises are found', () => {
  expect(rows.length).toBeGreaterThan(8);
  expect(promises.length).toBeGreaterThan(6);
});

test.each([...rows, ...promises])('a test proves: $about', ({ text }) => {
  const named = namedIn(text);
  expect(named).not.toEqual([]);
  expect(missingTests(named)).toEqual([]);
});

test.each([
  ['packages/python/test/start/ends.test.ts', 'a name that no test has'],
  ['packages/python/test/start/ends.test.ts', 'a thread of Python runs'],
  ['packages/python/test/no-such.test.ts', 'a thread of Python runs while the event loop waits'],
])('%s has no test “%s”', (file, name) => {
  expect(missingTests(namedIn(`[file](${file}) “${name}”`))).toEqual([{ file, name }]);
});
