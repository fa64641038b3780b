import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support/pages.js';

const read = (file: string) =>
  readFileSync(path.join(root, 'packages/cuda-simulator', file), 'utf8');

/** Defaults by the fields of the settings, in the unit in which they are read. */
const fields = new Map(
  [
    ...read('native/base/settings.hpp').matchAll(
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
  ...read('native/base/settings.cpp').matchAll(/reader\.number\("(\w+)",[^;]*settings\.(\w+)/g),
].map(([, variable, field]) => [variable as string, field as string] as const);

const rows = new Map(
  [...read('README.md').matchAll(/^\| `(CUDA_SIMULATOR_\w+)` \| `([^`]*)` \|/gm)].map(
    ([, name, value]) => [name, value],
  ),
);

test('settings are found', () => {
  expect(settings.length).toBeGreaterThan(7);
});

test.each([...settings, ['CUDA_SIMULATOR_SCHEDULE', 'schedule'] as const])(
  'the page has the default of %s',
  (variable, field) => {
    const value = fields.get(field);
    expect(value).toBeDefined();
    expect(rows.get(variable)).toBe(WRITTEN[value as string] ?? value);
  },
);
