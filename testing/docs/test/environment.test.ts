import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './pages.js';

const page = readFileSync(path.join(root, 'docs', 'environment.md'), 'utf8');
const documented = [...new Set(page.match(/ARRAY_INTERFACE_[A-Z_]+/g))];

/** Our variables in the files of the repository that match some patterns. */
function variablesIn(...patterns: string[]): string[] {
  const args = [
    'grep',
    '--untracked',
    '-hoE',
    'ARRAY_INTERFACE_[A-Z_]*[A-Z]\\b',
    '--',
    ...patterns,
  ];
  const found = execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  return [...new Set(found.trim().split('\n'))];
}

test('every variable that the packages read has a line', () => {
  const read = variablesIn(':(glob)packages/*/src/**', ':(glob)packages/*/bin/**');
  expect(read.length).toBeGreaterThan(5);
  expect(read.filter((name) => !documented.includes(name))).toEqual([]);
});

test('every variable that has a line is read somewhere', () => {
  const read = variablesIn(':(exclude)*.md');
  expect(documented.filter((name) => !read.includes(name))).toEqual([]);
});
