import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { blocksOf, root } from './support/pages.js';

const PAGE = 'docs/writing-a-backend.md';
const blocks = blocksOf({ page: PAGE, text: readFileSync(path.join(root, PAGE), 'utf8') });

/** Programs import the example. `docs.test.ts` runs them. */
const isProgram = (code: string) => code.includes("from '@array-interface/example-backend'");

const read = (file: string) => readFileSync(path.join(root, 'examples/backend', file), 'utf8');

/** The lines of a text that say something. */
const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

describe('the page that builds a backend', () => {
  test.each([
    ['cpp', 'native/pages.cpp'],
    ['ts', 'src/index.ts'],
    ['cmake', 'CMakeLists.txt'],
  ])('its blocks in %s are %s, part by part and in any order', (language, file) => {
    const text = read(file);
    const parts = blocks.filter((one) => one.language === language && !isProgram(one.code));
    const missing = parts.filter(({ code }) => !text.includes(code.trimEnd()));
    expect(missing).toEqual([]);
    const left = parts.reduce((rest, { code }) => rest.replace(code.trimEnd(), () => ''), text);
    expect(linesOf(left)).toEqual([]);
  });

  test('every step has a program', () => {
    expect(blocks.filter(({ code }) => isProgram(code)).length).toBeGreaterThan(3);
  });
});
