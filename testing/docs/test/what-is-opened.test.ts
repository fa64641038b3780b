import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { callsIn, openingCalls } from './support/opening-calls.js';
import { root } from './support/pages.js';

const page = readFileSync(path.join(root, 'docs/internals/what-is-opened.md'), 'utf8');

/** Every call that the page lists, as `FILE CALL COUNT`. */
function listed(): string[] {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => {
    const [files = '', calls = ''] = row.slice(2).split(' | ');
    return named(files).flatMap(([file]) =>
      named(calls).map(([call, count]) => `${file} ${call} ${count}`),
    );
  });
}

/** What stands in code, each with the number in brackets behind it. */
function named(cell: string): [name: string, count: number][] {
  return [...cell.matchAll(/`([^`]+)`(?: \((\d+)\))?/g)].map(([, name = '', count = '1']) => {
    return [name, Number(count)];
  });
}

describe('what is opened, loaded and run', () => {
  test('is on the page, each call of each published source', () => {
    const found = openingCalls().map(({ file, call, count }) => `${file} ${call} ${count}`);
    expect(found.length).toBeGreaterThan(70);
    expect(listed().sort()).toEqual(found.sort());
  });

  test('has a path and a check in every row', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.filter((row) => row.split(' | ').length !== 4)).toEqual([]);
  });
});

describe('a call is found', () => {
  test.each([
    ['a.ts', "import { open } from 'node:fs/promises';\nawait open(file);", ['open']],
    ['a.ts', "import { exec } from 'node:child_process';\nexec(command);", ['exec']],
    ['a.ts', 'fs.readFileSync(file); process.dlopen(module, file);', ['dlopen', 'readFileSync']],
    [
      'a.ts',
      'require(name); await import(name); new Worker(file); eval(text);',
      ['Worker', 'eval', 'import', 'require'],
    ],
    [
      'a.ts',
      "import { spawn as start } from 'node:child_process';\nstart(file);",
      ['spawn as start'],
    ],
    [
      'a.ts',
      "import * as fs from 'node:fs';\nfs.open(file); fs.readFileSync(file);",
      ['open', 'readFileSync'],
    ],
    [
      'a.ts',
      "const run = require('node:child_process');\nrun.exec(text); require('child_process').fork(file);",
      ['exec', 'fork'],
    ],
    ['a.ts', "const { open } = require('node:fs/promises');\nopen(file);", ['open']],
    [
      'a.ts',
      "process.getBuiltinModule('node:fs').rm(file); process.execve(file);",
      ['execve', 'rm'],
    ],
    [
      'a.ts',
      "import { execFile } from 'node:child_process';\nconst run = promisify(execFile);",
      ['execFile'],
    ],
    ['a.ts', 'vm.runInThisContext(text);', ['runInThisContext']],
    ['a.cpp', 'if (int file = ::open(path, O_RDONLY)) {}', ['open']],
    ['a.cpp', 'FILE* file = std::fopen(path, "r");', ['fopen']],
    [
      'a.cpp',
      'std::ifstream file(path); syscall(SYS_memfd_create, name);',
      ['SYS_memfd_create', 'ifstream'],
    ],
    ['a.hpp', 'return dlopen(name, RTLD_NOW);', ['dlopen']],
    [
      'a.cpp',
      'const auto load = &dlopen; call(execvp, name); posix_spawnp(&pid, name);',
      ['dlopen', 'execvp', 'posix_spawnp'],
    ],
    [
      'a.cpp',
      'std::filesystem::remove_all(path); unlinkat(folder, path, 0); uv_dlopen(path, &library);',
      ['filesystem::remove_all', 'unlinkat', 'uv_dlopen'],
    ],
    ['a.cpp', 'syscall(__NR_openat2, path); syscall(SYS_tgkill, 1, 1, 0);', ['__NR_openat2']],
    ['a.py', 'with open(path) as file: subprocess.run([file])', ['open', 'subprocess.run']],
    ['a.py', 'os.system(text); CDLL(name); exec(text)', ['CDLL', 'exec', 'os.system']],
    [
      'a.py',
      'from subprocess import Popen, PIPE\nPopen([file], stdin=PIPE)',
      ['subprocess.PIPE', 'subprocess.Popen'],
    ],
    [
      'a.py',
      'import os as system\nimport subprocess\nsubprocess.Popen([file])',
      ['os as', 'subprocess.Popen'],
    ],
    [
      'a.py',
      'ctypes.cdll.LoadLibrary(file); ctypes.cdll["libc.so.6"]; path.read_text()',
      ['LoadLibrary', 'cdll.LoadLibrary', 'read_text'],
    ],
  ])('in %s: %s', (file, text, calls) => {
    expect(
      callsIn(file, text)
        .map((one) => one.replace('new ', ''))
        .sort(),
    ).toEqual(calls);
  });

  test.each([
    [
      'a.ts',
      "// readFileSync(file)\n/* open(file) */ pattern.exec(text); tickets.open(value); import('./x.js');",
    ],
    ['a.cpp', 'scopes.open(text); Library::open(path); void open() {} // dlopen(path)'],
    ['a.py', 'def open(path): array.open(path)  # open(path)'],
  ])('and none if there is none, in %s', (file, text) => {
    expect(callsIn(file, text)).toEqual([]);
  });
});
