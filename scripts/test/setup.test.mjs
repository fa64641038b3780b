import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../run.mjs';
import { atLeast, missing } from '../setup/prerequisites.mjs';
import { hasNative, neededBy } from '../workspace.mjs';

let bin = '';
beforeEach(() => {
  bin = mkdtempSync(path.join(tmpdir(), 'bin-'));
});
afterEach(() => rmSync(bin, { recursive: true }));

// No PATH in these tests contains npx: an attempt to install anything would fail differently.
function setup(env = {}) {
  const script = path.join(root, 'scripts', 'setup', 'setup.mjs');
  const result = spawnSync(process.execPath, [script], {
    env: { PATH: bin, ...env },
    encoding: 'utf8',
  });
  return { status: result.status, text: result.stderr };
}

function command(name, text) {
  const file = path.join(bin, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}

test('on an empty machine everything missing is listed at once, and nothing is installed', () => {
  const { status, text } = setup();
  expect(status).toBe(1);
  expect(text).toContain('nothing was installed');
  for (const what of [
    'CMake 3.16',
    'a C++17 compiler (tried c++, g++, clang++)',
    'make or ninja',
  ]) {
    expect(text).toContain(what);
  }
  expect(text).toContain('Debian, Ubuntu: sudo apt install cmake');
});

test('existing tools are not named', () => {
  command('cmake', 'echo cmake version 3.25.1');
  command('ninja', 'echo 1.11.1');
  const { status, text } = setup();
  expect(status).toBe(1);
  expect(text).toContain('a C++17 compiler');
  expect(text).not.toContain('CMake');
  expect(text).not.toContain('ninja');
});

test('an old CMake is named with its version', () => {
  command('cmake', 'echo cmake version 3.9.6');
  expect(setup().text).toContain('CMake 3.16 or newer (found 3.9.6)');
});

test('a compiler that cannot compile C++17 does not count', () => {
  command('g++', 'echo "unrecognized option -std=c++17" >&2; exit 1');
  expect(setup().text).toContain('a C++17 compiler (tried c++, g++, clang++)');
  expect(setup({ CXX: 'g++ -m64' }).text).toContain('a C++17 compiler (tried g++ -m64)');
});

test('the compiler that CXX names counts', () => {
  symlinkSync('/bin/true', path.join(bin, 'ccache'));
  expect(setup({ CXX: 'ccache g++' }).text).not.toContain('compiler');
});

test.each([
  ['20.19.0', '20.19.0', true],
  ['20.18.9', '20.19.0', false],
  ['22.1', '20.19.0', true],
  ['3.9.6', '3.16', false],
  ['3.16', '3.16', true],
])('version %s is at least %s: %s', (version, wanted, answer) => {
  expect(atLeast(version, wanted)).toBe(answer);
});

test.each([
  ['packages/core', false, false],
  ['packages/contract', false, false],
  ['packages/host', true, false],
  ['packages/sycl', true, true],
  ['packages/cli', true, true],
])('the tests of %s need a compiler: %s, and SYCL: %s', (folder, native, sycl) => {
  const needed = neededBy(folder);
  expect(needed.some(hasNative)).toBe(native);
  expect(needed.includes(path.join(root, 'packages', 'sycl'))).toBe(sycl);
});

test('without C++ no compiler is needed', () => {
  expect(missing(false)).toEqual([]);
});
