import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { include } from '@array-interface/abi';
import { describe, expect, test } from 'vitest';
import { blocksOf, readPages } from './pages.js';

// What pages show in C compiles as it stands. CUDA's header is a few lines of our own.

const load = createRequire(import.meta.url);
const { include_dir: node } = load(
  createRequire(load.resolve('cmake-js')).resolve('node-api-headers'),
);
const stubs = path.join(import.meta.dirname, '..', 'include');

const programs = readPages()
  .flatMap(blocksOf)
  .filter(({ language }) => language === 'c');

describe('programs in C', () => {
  test('are found', () => {
    const found = programs.map(({ place }) => place.replace(/:.*/, ''));
    expect(found).toEqual([
      'docs/ffi.md',
      'docs/your-addon.md',
      'packages/abi/README.md',
      'packages/abi/README.md',
    ]);
  });

  test.each(programs)('of $place give back every array that they take', ({ code }) => {
    const taken = [...code.matchAll(/(\w+) = ai_take\(/g)].map(([, name]) => name);
    const left = taken.filter((name) => !code.includes(`${name}->release(${name});`));
    expect(left).toEqual([]);
    if (code.includes('ai_array *')) expect(code).toMatch(/->release(\(| = )/);
  });

  test.each(programs)('of $place compile without a warning', ({ code }) => {
    const folders = ['-I', include, '-isystem', node, '-isystem', stubs];
    // Functions that a page shows are called by nobody.
    const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Werror', '-Wno-unused-function'];
    const args = ['-x', 'c', '-std=c99', ...warnings, ...folders, '-fsyntax-only', '-'];
    const { stderr, status } = spawnSync(process.env.CC || 'cc', args, {
      input: code,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
