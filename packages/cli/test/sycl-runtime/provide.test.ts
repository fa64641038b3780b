import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { findPython } from '../../src/sycl-runtime/python.js';
import { pythonMinor, withoutPipSettings } from './fake-index.js';
import { type Folder, test } from './folder.js';

/** An environment whose python3 answers as `answer` says. */
function fakePython(folder: Folder, answer: string): NodeJS.ProcessEnv {
  const command = path.join(folder.directory, 'fake-python');
  writeFileSync(command, `#!/bin/sh\necho '${answer}'\n`);
  chmodSync(command, 0o755);
  return { ...process.env, ARRAY_INTERFACE_PYTHON: command };
}

test('two processes at once create one runtime, once, and leave nothing beside it', async ({
  folder,
}) => {
  const env = folder.index();
  const outcomes = await Promise.all([folder.provide(env), folder.provide(env)]);
  expect(outcomes).toEqual(Array(2).fill({ state: 'ready', library: folder.library }));
  const first = folder.lines.filter((line) => line.startsWith('Making'));
  expect(first).toEqual([`Making a SYCL runtime in ${folder.target}`]);
  expect(folder.lines).toContain('  disk     1.6 GB, and 2.4 GB while it is made');
  expect(folder.lines).toContain(
    `process ${process.pid} is providing the SYCL runtime; waiting for it`,
  );
  expect(folder.lines).toContain('  1/10 dpctl 0.22.1: 2 MB');
  expect(readdirSync(folder.directory).sort()).toEqual(['.sycl-runtime', 'index']);
  folder.lines.length = 0;
  expect(await folder.provide({ PATH: folder.directory })).toEqual({
    state: 'ready',
    library: folder.library,
  });
  expect(folder.lines).toEqual([]);
});

test('continues an interrupted attempt', async ({ folder }) => {
  expect((await folder.provide(folder.interrupted())).state).toBe('ready');
  expect(folder.lines).toContain('  2/10 intel-opencl-rt 2026.2.0: there from before');
});

test('a Python without ensurepip uses its own pip on the new environment', async ({ folder }) => {
  const command = path.join(folder.directory, 'python-without-ensurepip');
  const answer = `[${pythonMinor()}, "CPython", true, false, true]`;
  const text = `#!/bin/sh\n[ "$2" = -c ] && echo '${answer}' || exec python3 "$@"\n`;
  writeFileSync(command, text, { mode: 0o755 });
  const outcome = await folder.provide({
    ...folder.interrupted(),
    ARRAY_INTERFACE_PYTHON: command,
  });
  expect(outcome).toEqual({ state: 'ready', library: folder.library });
  expect(existsSync(path.join(folder.directory, '.sycl-runtime', 'bin', 'pip'))).toBe(false);
});

test('a package index that cannot be reached is reported', async ({ folder }) => {
  folder.index(); // wheels to be fetched
  const env = { ...withoutPipSettings(), PIP_INDEX_URL: 'http://127.0.0.1:9/simple' };
  const outcome = await folder.provide(env);
  expect(outcome).toMatchObject({ state: 'failed', reason: 'pip cannot reach the package index' });
  expect(existsSync(folder.library)).toBe(false);
});

test('modules in the working folder do not replace Python’s', ({ folder }) => {
  writeFileSync(path.join(folder.directory, 'platform.py'), 'raise SystemExit(1)');
  const before = process.cwd();
  process.chdir(folder.directory);
  try {
    expect(findPython(process.env).command).toBeTruthy();
  } finally {
    process.chdir(before);
  }
});

test('a Python that every user may write is not run', async ({ folder }) => {
  const program = path.join(folder.directory, 'python');
  writeFileSync(program, `#!/bin/sh\ntouch ${folder.directory}/was-run\n`);
  chmodSync(program, 0o777);
  const outcome = await folder.provide({ ...process.env, ARRAY_INTERFACE_PYTHON: program });
  expect(outcome).toHaveProperty('reason', expect.stringContaining('may be written by every user'));
  expect(existsSync(path.join(folder.directory, 'was-run'))).toBe(false);
});

test('a missing python3 is reported', async ({ folder }) => {
  const outcome = await folder.provide({ PATH: folder.directory });
  expect(outcome).toMatchObject({ state: 'failed', reason: 'python3 cannot be run' });
  expect(outcome).toHaveProperty('remedy', expect.stringContaining('python3-venv'));
});

test.for<[string, string]>([
  ['[9, "CPython", true, true, true]', 'has no wheels for CPython 3.9'],
  ['[15, "CPython", true, true, true]', 'has no wheels for CPython 3.15'],
  ['[11, "PyPy", true, true, true]', 'has no wheels for PyPy 3.11'],
  ['[11, "CPython", false, true, true]', 'has no module venv'],
  ['[11, "CPython", true, false, false]', 'has no module ensurepip'],
])('a Python that answers %s is refused', async ([answer, reason], { folder }) => {
  const outcome = await folder.provide(fakePython(folder, answer));
  expect(outcome).toMatchObject({ state: 'failed', reason: expect.stringContaining(reason) });
});

test('is skipped if ARRAY_INTERFACE_SYCL is 0', async ({ folder }) => {
  const outcome = await folder.provide({ ...process.env, ARRAY_INTERFACE_SYCL: '0' });
  expect(outcome).toMatchObject({ state: 'left out', reason: 'ARRAY_INTERFACE_SYCL is 0' });
  expect(readdirSync(folder.directory)).toEqual([]);
});

test.for<[string, NodeJS.ProcessEnv, string]>([
  ['the package with the sycl addon is not installed', {}, 'the sycl addon is not installed'],
  [
    'no SYCL runtime was found',
    { ARRAY_INTERFACE_DPCTL_LIBRARY: 'x' },
    'ARRAY_INTERFACE_DPCTL_LIBRARY names a runtime that does not work',
  ],
])(
  'an existing runtime that cannot be used is not replaced: %s',
  async ([reason, env, sentence], { folder }) => {
    const outcome = await folder.provide(env, () => ({ available: false, reason, tried: ['why'] }));
    expect(outcome).toMatchObject({ state: 'failed', reason: expect.stringContaining(sentence) });
    expect(readdirSync(folder.directory)).toEqual([]);
  },
);

test('a .sycl-runtime without a device is reported, not fetched again', async ({ folder }) => {
  mkdirSync(path.join(folder.directory, '.sycl-runtime'));
  const outcome = await folder.provide(process.env, () => ({
    available: false,
    reason: 'a SYCL runtime was found but it has no device',
    tried: [],
  }));
  expect(outcome).toMatchObject({
    state: 'failed',
    remedy: 'remove that folder and run this again',
  });
  expect(folder.lines).toEqual([]);
});
