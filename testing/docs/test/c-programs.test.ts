import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { include } from '@array-interface/abi';
import { afterAll, describe, expect, test } from 'vitest';
import { blocksOf, readPages } from './support/pages.js';

// What pages show in C compiles as it stands, and runs under AddressSanitizer and
// UndefinedBehaviorSanitizer. CUDA's header is a few lines of our own.

const load = createRequire(import.meta.url);
const { include_dir: node } = load(
  createRequire(load.resolve('cmake-js')).resolve('node-api-headers'),
);
const stubs = path.join(import.meta.dirname, '..', 'include');
const folders = ['-I', include, '-isystem', node, '-isystem', stubs];
const compiler = process.env.CC || 'cc';

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
    // Functions that a page shows are called by nobody.
    const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Werror', '-Wno-unused-function'];
    const args = ['-x', 'c', '-std=c99', ...warnings, ...folders, '-fsyntax-only', '-'];
    const { stderr, status } = spawnSync(compiler, args, {
      input: code,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});

const built = mkdtempSync(path.join(tmpdir(), 'c-programs-'));
afterAll(() => rmSync(built, { recursive: true }));

/** Builds a file of ../programs with sanitizers. Its macros name files with the code of pages. */
function build(name: string, codes: Readonly<Record<string, string>>, ...options: string[]) {
  const macros = Object.entries(codes).map(([macro, code]) => {
    const file = path.join(built, `${name}-${macro}.h`);
    writeFileSync(file, code);
    return `-D${macro}="${file}"`;
  });
  const source = path.join(import.meta.dirname, '..', 'programs', name);
  const to = path.join(built, `${name}.out`);
  const sanitizers = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-g1'];
  const args = ['-std=c11', ...sanitizers, ...folders, ...macros, ...options, source, '-o', to];
  const { status, stderr } = spawnSync(compiler, [...args, '-lm'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return to;
}

/** Runs a program, which has nothing to say but that it is done. */
function run(command: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, ...variables };
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env });
  expect(stderr).toBe('');
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'done\n' });
}

const codeOf = (page: string) =>
  programs.filter(({ place }) => place.startsWith(`${page}:`)).map(({ code }) => code);

describe('under sanitizers, programs in C', () => {
  test.each([
    ['sum.c', 'docs/ffi.md'],
    ['launch.c', 'docs/your-addon.md'],
  ])('%s runs the program of %s', (name, page) => {
    const [code = ''] = codeOf(page);
    run(build(name, { EXAMPLE: code }), []);
  });

  test('addon.c runs both programs of packages/abi/README.md in Node', () => {
    const [FIRST = '', GIVE = ''] = codeOf('packages/abi/README.md');
    const addon = build('addon.c', { FIRST, GIVE }, '-shared', '-fPIC');
    const script = path.join(import.meta.dirname, '..', 'programs', 'use-addon.mjs');
    const { stdout } = spawnSync(compiler, ['-print-file-name=libasan.so'], { encoding: 'utf8' });
    // Node itself keeps memory until it ends.
    const environment = { LD_PRELOAD: stdout.trim(), ASAN_OPTIONS: 'detect_leaks=0' };
    run(process.execPath, ['--expose-gc', script, addon], environment);
  });
});
