import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './support/pages.js';

const read = (page: string) => readFileSync(path.join(root, page), 'utf8');
const page = read('docs/environment.md');
const SIMULATOR = 'packages/cuda-simulator';
const simulator = read(`${SIMULATOR}/README.md`);
const NAME = '[A-Z][A-Z0-9_]*[A-Z0-9]';
const documented = [...new Set(page.match(/ARRAY_INTERFACE_[A-Z_]*[A-Z]/g))];

/** Our sources, in each language, without those of tests. */
const SOURCES = [
  ...['packages/*/src/**', 'packages/*/bin/**', 'packages/*/native/**', 'native/**', 'pip/src/**'],
].map((pattern) => `:(glob)${pattern}`);
const NO_SOURCES = [':(exclude,glob)**/test/**', ':(exclude)*.md', ':(exclude)*.cmake'];

/** What matches in the files that some patterns of git's name, each once. */
function found(expression: string, patterns: readonly string[]): string[] {
  const args = ['grep', '--untracked', '-hoE', expression, '--', ...patterns];
  const lines = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  return [...new Set(lines)];
}

/** The variables that our sources read: ours by their names, others by how each language reads them. */
function variables(): string[] {
  const ours = `["'.](ARRAY_INTERFACE|CUDA_SIMULATOR)_[A-Z_]*[A-Z]\\b`;
  const reads = [
    `env\\.${NAME}`,
    `env\\[["']${NAME}`,
    `getenv\\("${NAME}`,
    `environ(\\.get\\(|\\[)["']${NAME}`,
  ];
  const lines = [ours, ...reads].flatMap((one) => found(`(${one})`, [...SOURCES, ...NO_SOURCES]));
  return [...new Set(lines.map((line) => new RegExp(`${NAME}$`).exec(line)?.[0] as string))];
}

/** What the system's programs heed, and ours like them. */
const OF_THE_SYSTEM = ['CI', 'HOME', 'LD_LIBRARY_PATH', 'PATH'];

test('every variable that our sources read has a line', () => {
  const names = variables();
  for (const one of ['ARRAY_INTERFACE_PYTHON_TIMEOUT', 'CUDA_SIMULATOR_DEVICES', 'PATH']) {
    expect(names).toContain(one);
  }
  const hasLine = (name: string) =>
    page.includes(`\`${name}\``) ||
    (name.startsWith('CUDA_SIM') && simulator.includes(`\`${name}\``));
  expect(names.filter((name) => !OF_THE_SYSTEM.includes(name) && !hasLine(name))).toEqual([]);
});

test('every variable that has a line is read somewhere', () => {
  const read = found('ARRAY_INTERFACE_[A-Z_]*[A-Z]\\b', [':(exclude)*.md']);
  expect(documented.filter((name) => !read.includes(name))).toEqual([]);
});

describe('what a line says about a value', () => {
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \|[^|]*\| `(\d)`:/gm)].map(([, ...row]) => row);

  test('is found', () => {
    expect(rows.length).toBeGreaterThan(3);
  });

  test.each(rows)('%s is compared with %s where it is read', (name, value) => {
    const compared = found(`${name}.*(==|!=).*`, [':(exclude)*.md', ':(exclude,glob)**/test/**']);
    expect(compared).not.toEqual([]);
    for (const line of compared) expect(line).toMatch(new RegExp(`(==|!=) ["']?${value}\\b`));
  });
});

/** Defaults by the fields of the settings, in the unit in which they are read. */
const fields = new Map(
  [
    ...read(`${SIMULATOR}/native/base/settings.hpp`).matchAll(
      /(\w+) = (?:std::size_t\{(\d+)\} << \d+|([\w':]+));/g,
    ),
  ].map(([, name, shifted, plain]) => [name, shifted ?? plain?.replaceAll("'", '')]),
);

/** What C++ writes otherwise than a page. */
const WRITTEN: Readonly<Record<string, string>> = {
  true: '1',
  false: '0',
  'Schedule::lazy': 'lazy',
  'Peers::all': '1',
};

/** The variables that stand for a field. */
const settings = [
  ...read(`${SIMULATOR}/native/base/settings.cpp`).matchAll(
    /reader\.number\("(\w+)",[^;]*settings\.(\w+)/g,
  ),
].map(([, variable, field]) => [variable as string, field as string] as const);

const defaults = new Map(
  [...simulator.matchAll(/^\| `(CUDA_SIMULATOR_\w+)` \| `([^`]*)` \|/gm)].map(([, name, value]) => [
    name,
    value,
  ]),
);

test('settings of the simulator are found', () => {
  expect(settings.length).toBeGreaterThan(7);
});

test.each([...settings, ['CUDA_SIMULATOR_SCHEDULE', 'schedule'] as const])(
  'the page of the simulator has the default of %s',
  (variable, field) => {
    const value = fields.get(field);
    expect(value).toBeDefined();
    expect(defaults.get(variable)).toBe(WRITTEN[value as string] ?? value);
  },
);
