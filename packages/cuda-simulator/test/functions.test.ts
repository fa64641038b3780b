import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { libraryPath } from '../src/index.js';

it('exports the driver functions in its README, and no others', () => {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, table = ''] = /## Functions\n([\s\S]*)/.exec(page) ?? [];
  const cells = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1] ?? '');
  const stated = cells.flatMap((cell) => [...cell.matchAll(/`(cu\w+)`/g)].map(([, name]) => name));
  const symbols = execFileSync('nm', ['-D', '--defined-only', libraryPath], { encoding: 'utf8' });
  const exported = [...symbols.matchAll(/ T (cu\w+)$/gm)].map(([, name]) => name);
  expect(exported.length).toBe(274);
  expect(stated.sort()).toEqual(exported.sort());
});
