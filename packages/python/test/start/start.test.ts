import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPython } from '../../src/find-python.js';
import { venv } from '../support/environment.js';
import { runProgram } from '../support/program.js';

const real = findPython({ venv });
const program = join(venv, 'bin/python');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What startPython says to each of these options in one process, a line for each. */
async function started(...options: readonly unknown[]): Promise<string[]> {
  const ended = await runProgram('started.mjs', { argument: JSON.stringify(options) });
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  return ended.stdout.split('\n');
}

/** Another environment of the same Python, without packages. */
function otherEnvironment(name: string): string {
  const other = join(folder, name);
  mkdirSync(join(other, 'bin'), { recursive: true });
  rmSync(join(other, 'bin/python'), { force: true });
  symlinkSync(real.library.replace(/\/lib\/.*/, '/bin/python3'), join(other, 'bin/python'));
  const home = real.library.replace(/\/lib\/.*/, '/bin');
  writeFileSync(
    join(other, 'pyvenv.cfg'),
    `home = ${home}\ninclude-system-site-packages = false\n`,
  );
  return other;
}

/** An environment whose program says of itself what the real one says, and this. */
function claims(name: string, claim: object): string {
  const answer = { implementation: 'cpython', ...real, libraries: [real.library], ...claim };
  const place = join(folder, name);
  mkdirSync(join(place, 'bin'), { recursive: true });
  writeFileSync(join(place, 'bin/python'), `#!/bin/sh\necho '${JSON.stringify(answer)}'\n`);
  chmodSync(join(place, 'bin/python'), 0o755);
  return place;
}

const right = `true ${venv}`;

test('it is the same Python each time, however it is named', async () => {
  const link = join(folder, 'link');
  symlinkSync(venv, link);
  const same = [{ venv }, {}, null, { venv: `${venv}/.` }, { venv: link }];
  const lines = await started(...same, { venv, library: real.library });
  expect(lines).toEqual(Array(6).fill(right));
});

test('another environment of the same library is refused: its packages would not be there', async () => {
  const other = otherEnvironment('other');
  const [first, second, third] = await started({ venv }, { venv: other }, {});
  expect([first, third]).toEqual([right, right]);
  expect(second).toBe(
    `[ERR_BACKEND_UNAVAILABLE] venv: expected the environment of the running Python, ${real.prefix}, ` +
      `got ${other}; a process has only one environment, so start another process for this one, or ` +
      'install its packages in the first',
  );
});

test('a second library is refused', async () => {
  const library = join(folder, 'libpython3.so');
  writeFileSync(library, readFileSync(real.library));
  const [, second] = await started({ venv }, { venv, library });
  expect(second).toBe(
    `[ERR_BACKEND_UNAVAILABLE] library: expected the running Python, ${real.library}, got ${library}; ` +
      'a process has only one Python, so start another process for this one',
  );
});

test('a Python that other code started is refused', async () => {
  const addon = join(import.meta.dirname, '../../../sycl/build/Release/test/other_library.node');
  const [library, place] = [JSON.stringify(real.library), JSON.stringify(addon)];
  const ended = await runProgram(
    `import { createRequire } from 'node:module';
    const other = createRequire(import.meta.url)(${place});
    other.open(${library});
    other.call(${library}, 'Py_InitializeEx', 0n);
    await import('./started.mjs');`,
    { argument: JSON.stringify([{ venv }]) },
  );
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  expect(ended.stdout).toMatch(
    /^\[ERR_BACKEND_UNAVAILABLE\] library: .* not yet running, got one that is: /,
  );
});

test('Python reads the environment when it starts, and what it sets later is Node’s, too', async () => {
  const ended = await runProgram(
    `process.env.BEFORE = 'a';
    const { python } = await import('./running.mjs');
    process.env.LATER = 'b';
    const environ = python.import('os').get('environ');
    environ.setItem('PYTHONS', 'c');
    const names = ['BEFORE', 'LATER', 'PYTHONS'];
    const run = python.import('subprocess').get('getoutput');
    console.log(names.map((name) => environ.callMethod('get', [name])));
    console.log(names.map((name) => process.env[name]), run.call(['echo $BEFORE$LATER$PYTHONS']));`,
  );
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  expect(ended.stdout).toBe("[ 'a', null, 'c' ]\n[ 'a', 'b', 'c' ] abc");
});

test('a Python that a second copy of the package started is refused, with where that is', async () => {
  const copy = join(folder, 'node_modules/@array-interface/python');
  const addon = join(copy, 'build/Release/python.node');
  const own = join(import.meta.dirname, '../..');
  const built = process.env['ARRAY_INTERFACE_ADDON_DIR'] ?? join(own, 'build/Release');
  mkdirSync(join(copy, 'build/Release'), { recursive: true });
  copyFileSync(join(built, 'python.node'), addon);
  copyFileSync(join(own, 'package.json'), join(copy, 'package.json'));
  cpSync(join(own, 'dist'), join(copy, 'dist'), { recursive: true });
  symlinkSync(join(own, '../core'), join(folder, 'node_modules/@array-interface/core'));
  const ended = await runProgram(
    `delete process.env.ARRAY_INTERFACE_ADDON_DIR;
    const { startPython } = await import(${JSON.stringify(join(copy, 'dist/index.js'))});
    startPython({ venv: ${JSON.stringify(venv)} });
    await import('./started.mjs');`,
    { argument: JSON.stringify([{ venv }]) },
  );
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  expect(ended.stdout).toContain('another copy of this package has started, with ');
  expect(ended.stdout).toContain(`${addon}; have one copy: npm ls @array-interface/python`);
});

describe('after a failed start, the next one works:', () => {
  test('a library of another version', async () => {
    const newer = claims('newer', { version: '3.98.0' });
    const free = claims('free', { version: '3.99.0t' });
    const [first, second, third] = await started({ venv: newer }, { venv: free }, { venv });
    const own = real.version.replace(/\.\d+(t?)$/, '$1');
    const rest = `got that of Python ${own}: ${real.library}; name a library and an environment that`;
    expect(first).toContain(`which is Python 3.98, ${rest} belong together`);
    expect(second).toContain(`which is Python 3.99t, ${rest} belong together`);
    expect(third).toBe(right);
  });

  test('a file that begins as a library does', async () => {
    const library = join(folder, 'libpython3.11.so');
    writeFileSync(library, readFileSync(real.library).subarray(0, 100));
    const [first, second] = await started({ venv, library }, { venv });
    expect(first).toMatch(
      /^\[ERR_BACKEND_UNAVAILABLE\] library: expected a libpython, got a file that cannot/,
    );
    expect(second).toBe(right);
  });

  test('a library that is not libpython', async () => {
    const library = join(import.meta.dirname, '../../build/Release/python.node');
    const [first, second] = await started({ venv, library }, { venv });
    expect(first).toMatch(/^\[ERR_BACKEND_UNAVAILABLE\] library: .* got a library without Py_Init/);
    expect(second).toBe(right);
  });
});

test.each([
  [
    { python: '3.12' },
    '[ERR_ARGUMENT] python: expected one of the options venv, library, path, got',
  ],
  [{ venv: '' }, '[ERR_ARGUMENT] venv: expected a path, got'],
  [{ path: 'lib' }, '[ERR_ARGUMENT] path: expected a list of folders, got'],
  [{ library: 3 }, '[ERR_ARGUMENT] library: expected a path, got'],
  ['3.12', '[ERR_ARGUMENT] options: expected an object, got'],
])('meaningless options are refused: %o', async (options, message) => {
  const [line] = await started(options);
  expect(line).toContain(message);
});

test.each([
  ['the C locale', { LC_ALL: 'C', LANG: undefined, PYTHONUTF8: '0' }],
  ['no locale', { LC_ALL: undefined, LC_CTYPE: undefined, LANG: undefined }],
])('text is UTF-8, and the environment is right, with %s', async (_, env) => {
  const ended = await runProgram(
    `import { python } from './running.mjs';
    python.exec(\`
import os, sys, numpy
print('é', sys.getfilesystemencoding(), sys.executable, sys.prefix, os.fsencode('é'))
print(numpy.__file__.startswith(sys.prefix), [n for n in os.environ if n in ('PYTHONHOME', 'PYTHONPATH')])\`);`,
    { env },
  );
  expect(ended).toEqual({
    status: 0,
    stderr: '',
    stdout: `é utf-8 ${program} ${venv} b'\\xc3\\xa9'\nTrue []`,
  });
});

test.each([{ LC_ALL: 'C' }, { LC_ALL: 'C', PYTHONCOERCECLOCALE: '0', PYTHONUTF8: '0' }])(
  'an environment may have any name: %o',
  async (env) => {
    const argument = JSON.stringify([{ venv: otherEnvironment('Umgebung für 二') }]);
    const ended = await runProgram('started.mjs', { argument, env });
    expect(ended.stdout).toBe(`true ${join(folder, 'Umgebung für 二')}`);
  },
);

test('an environment is the same as in its own program, also the folders of its .pth files', async () => {
  const other = otherEnvironment('packages');
  const own = (code: string) =>
    execFileSync(join(other, 'bin/python'), ['-c', code], { encoding: 'utf8' }).trim();
  const site = own('import sysconfig; print(sysconfig.get_path("purelib"))');
  mkdirSync(site, { recursive: true });
  mkdirSync(join(folder, 'elsewhere'));
  writeFileSync(join(folder, 'elsewhere/found_by_pth.py'), 'value = 7');
  writeFileSync(join(site, 'elsewhere.pth'), join(folder, 'elsewhere'));
  const ask = `import sys, found_by_pth
print(sys.executable, sys.prefix, sys.base_prefix, found_by_pth.value, [p for p in sys.path if p])`;
  const ended = await runProgram(`import { startPython } from '@array-interface/python';
    startPython({ venv: ${JSON.stringify(other)} }).exec(${JSON.stringify(ask)});`);
  expect(ended).toEqual({ status: 0, stdout: own(ask), stderr: '' });
  expect(ended.stdout).toContain(`${other} `);
});

test('extension modules find Python’s functions among the process’s symbols', async () => {
  const ended = await runProgram(`import { python } from './running.mjs';
    console.log(python.eval("hasattr(__import__('ctypes').CDLL(None), 'PyObject_Call')"));`);
  expect(ended).toEqual({ status: 0, stdout: 'true', stderr: '' });
});

test('the SYCL driver in the environment is named, unless another one is', async () => {
  const other = otherEnvironment('driver');
  mkdirSync(join(other, 'lib'));
  writeFileSync(join(other, 'lib/libintelocl.so'), '');
  const look = `import { startPython } from '@array-interface/python';
    const python = startPython({ venv: ${JSON.stringify(other)} });
    console.log(python.eval("__import__('os').environ.get('OCL_ICD_FILENAMES')"));`;
  const named = async (env: Record<string, string>) => (await runProgram(look, { env })).stdout;
  expect(await named({})).toBe(join(other, 'lib/libintelocl.so'));
  expect(await named({ OCL_ICD_FILENAMES: 'mine' })).toBe('mine');
  expect(await named({ OCL_ICD_VENDORS: 'mine' })).toBe('null');
});
