import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPython } from '../src/find-python.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-program-'));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const whole = {
  implementation: 'cpython',
  program: '/bin/true',
  prefix: '/',
  version: '3.11.7',
  libraries: ['/bin/true'],
};

test.each([
  null,
  5,
  [[]],
  {},
  { ...whole, version: '' },
  { ...whole, version: 3 },
  { ...whole, program: undefined },
  { ...whole, prefix: ['/'] },
  { ...whole, libraries: 'all' },
  { ...whole, libraries: [5] },
])('a program that prints %j is not a Python', (answer) => {
  const program = join(folder, 'bin/python');
  writeFileSync(program, `#!/bin/sh\necho '${JSON.stringify(answer)}'\n`);
  chmodSync(program, 0o755);
  expect(() => findPython({ venv: folder })).toThrow(
    expect.objectContaining({
      code: 'ERR_BACKEND_UNAVAILABLE',
      path: 'venv',
      message: expect.stringContaining('it does not say which Python it is'),
    }),
  );
});
