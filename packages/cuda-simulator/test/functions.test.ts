import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { libraryPath } from '../src/index.js';

const program = fileURLToPath(new URL('../build/Release/simulator-tests', import.meta.url));
const rows = execFileSync(program, ['--functions'], { encoding: 'utf8' });

/** The exported symbols of the rows in a state. */
function symbolsThat(state: 'works' | 'refuses'): string[] {
  const found = [...rows.matchAll(/^\| `\w+` \| [\d.]+ \| `(\w+)` \| (\w+) \|$/gm)];
  return [...new Set(found.filter((row) => row[2] === state).map((row) => row[1] ?? ''))];
}

it('exports the functions of its tables, and no others', () => {
  const listed = execFileSync('nm', ['-D', '--defined-only', libraryPath], { encoding: 'utf8' });
  const exported = [...listed.matchAll(/ T (cu\w+)$/gm)].map(([, name]) => name);
  expect([...symbolsThat('works'), ...symbolsThat('refuses')].sort()).toEqual(exported.sort());
});

it('names in its README the functions that work, and no others', () => {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, table = ''] = /## Functions\n([\s\S]*)/.exec(page) ?? [];
  const cells = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1] ?? '');
  const stated = cells.flatMap((cell) => [...cell.matchAll(/`(cu\w+)`/g)].map(([, name]) => name));
  expect(stated.sort()).toEqual(symbolsThat('works').sort());
});

it('has a page with every function, its version and its state', async () => {
  const works = new Set([...rows.matchAll(/`(\w+)` \|[^\n]*works/g)].map(([, name]) => name));
  const refuses = [...rows.matchAll(/`(\w+)` \|[^\n]*refuses/g)].map(([, name]) => name);
  const refused = new Set(refuses.filter((name) => !works.has(name)));
  const page = [
    '# Functions of the CUDA simulator',
    '',
    '`vitest run functions -u` writes this page from the tables in `packages/cuda-simulator/native/base`. A version is the driver’s that introduced',
    'the function with this binary interface: `cuGetProcAddress` gives it from that version on, if',
    '`CUDA_SIMULATOR_DRIVER_VERSION` is no lower.',
    '',
    `${works.size} functions work. ${refused.size} more refuse: \`CUDA_ERROR_NOT_SUPPORTED\`, and one line on stderr.`,
    '',
    '| function | version | symbol | state |',
    '| --- | --- | --- | --- |',
    rows,
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../FUNCTIONS.md');
});
