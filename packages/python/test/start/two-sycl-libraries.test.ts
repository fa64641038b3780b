import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasDpctl, venv } from '../support/environment.js';
import { runProgram } from '../support/program.js';

// Two environments may have a dpctl each: that of Python, and the one in which JavaScript's side finds the library.

const lib = join(venv, 'lib');
const [python = ''] = readdirSync(lib).filter((name) => name.startsWith('python3.'));
const library = join(lib, python, 'site-packages/dpctl/libDPCTLSyclInterface.so');
let folder = '';
let copy = '';

beforeAll(() => {
  if (!hasDpctl) return;
  folder = mkdtempSync(join(tmpdir(), 'two-libraries-'));
  copy = join(folder, 'lib', relative(lib, library));
  mkdirSync(join(copy, '..'), { recursive: true });
  copyFileSync(library, copy);
  const needed = readdirSync(lib).filter((name) => name.includes('.so'));
  for (const name of needed) symlinkSync(join(lib, name), join(folder, 'lib', name));
  mkdirSync(join(folder, 'project'));
  symlinkSync(folder, join(folder, 'project', '.sycl-runtime'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The library that is loaded first answers for both by its name, unless it is named by its path.
test.runIf(hasDpctl).each([
  ['JavaScript', 1],
  ['Python', 2],
])('two copies of dpctl’s library work in a process, %s’s first', async (argument, copies) => {
  const env = { ARRAY_INTERFACE_DPCTL_LIBRARY: copy };
  const ended = await runProgram('start/two-libraries.mjs', { argument, env });
  expect(ended).toEqual({ status: 0, stdout: `${copies} 97,98,99 1,2,3`, stderr: '' });
});

test.runIf(hasDpctl)('JavaScript takes the copy that Python has loaded', async () => {
  const env = { PROJECT: join(folder, 'project') }; // JavaScript alone would take the project's
  const ended = await runProgram('start/two-libraries.mjs', { argument: 'Python', env });
  expect(ended).toEqual({ status: 0, stdout: '1 97,98,99 1,2,3', stderr: '' });
});
