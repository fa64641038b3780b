import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readPages, root } from './support/pages.js';

const pages = new Map(readPages().map(({ page, text }) => [page, text]));

/** The words that a pattern finds in a file. */
function words(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, word]) => word as string);
}

/** What pages say of units, beside what the source says of the same thing. */
const UNITS = [
  {
    what: 'strides that kernels take',
    page: 'docs/computing.md',
    says: /int64: strides in (\w+)/g,
    source: 'packages/core/src/kernel/parameter.ts',
    defines: /int64 follow: the strides of its axes in (\w+)/g,
  },
  {
    what: 'strides of capsules',
    page: 'packages/abi/README.md',
    says: /Strides count (\w+)/g,
    source: 'packages/core/src/backend/interface/capsule.ts',
    defines: /lengths of the axes, then the strides in (\w+)/g,
  },
  {
    what: 'the timeout of Python',
    page: 'packages/python/README.md',
    says: /`ARRAY_INTERFACE_PYTHON_TIMEOUT` sets the time in (\w+)/g,
    source: 'packages/python/native/calls/timeout.cpp',
    defines: /const double (seconds) = /g,
  },
  {
    what: 'the timeout of Python, among the variables',
    page: 'docs/environment.md',
    says: /`ARRAY_INTERFACE_PYTHON_TIMEOUT` \| `\d+` \| how many (\w+)/g,
    source: 'packages/python/native/calls/timeout.cpp',
    defines: /const double (seconds) = /g,
  },
  {
    what: 'the timeout of Python: its default',
    page: 'docs/environment.md',
    says: /`ARRAY_INTERFACE_PYTHON_TIMEOUT` \| `(\d+)`/g,
    source: 'packages/python/native/calls/timeout.cpp',
    defines: /kUsual = (\d+);/g,
  },
];

test.each(UNITS)('$what: $page says what the source says', ({ page, says, source, defines }) => {
  const told = words(pages.get(page) ?? '', says);
  const meant = words(readFileSync(path.join(root, source), 'utf8'), defines);
  expect(told.length).toBeGreaterThan(0);
  expect(meant).toHaveLength(1);
  for (const word of told) expect(word).toBe(meant[0]);
});
