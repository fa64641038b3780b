import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Found } from '../../src/sycl-runtime/find.js';
import { type Outcome, provideSyclRuntime } from '../../src/sycl-runtime/provide.js';
import { findPython } from '../../src/sycl-runtime/python.js';
import { fakeIndex, pythonMinor, withoutPipSettings } from './fake-index.js';

// Making a virtual environment takes seconds, and more on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

let directory = '';
let lines: string[] = [];
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'sycl-runtime-'));
  lines = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

const target = (): string => path.join(directory, '.sycl-runtime');

const library = (): string => {
  const packages = `lib/python3.${pythonMinor()}/site-packages`;
  return path.join(target(), packages, 'dpctl/libDPCTLSyclInterface.so');
};

// Takes any library for a runtime: those that the tests make are none.
const find = (): Found =>
  existsSync(library())
    ? { available: true, library: library() }
    : { available: false, reason: 'no SYCL runtime was found', tried: ['everything'] };

const provide = (env: NodeJS.ProcessEnv, found: () => Found = find): Promise<Outcome> =>
  provideSyclRuntime({ target: target(), find: found, env, log: (line) => lines.push(line) });

/** An environment whose python3 answers as `answer` says. */
function fakePython(answer: string): NodeJS.ProcessEnv {
  const command = path.join(directory, 'fake-python');
  writeFileSync(command, `#!/bin/sh\necho '${answer}'\n`);
  chmodSync(command, 0o755);
  return { ...process.env, ARRAY_INTERFACE_PYTHON: command };
}

function index(): NodeJS.ProcessEnv {
  const folder = path.join(directory, 'index');
  mkdirSync(folder);
  return fakeIndex(folder);
}

test('two at once make one, once, and leave nothing beside it', async () => {
  const env = index();
  const outcomes = await Promise.all([provide(env), provide(env)]);
  expect(outcomes).toEqual(Array(2).fill({ state: 'ready', library: library() }));
  const first = lines.filter((line) => line.startsWith('Making'));
  expect(first).toEqual([`Making a SYCL runtime in ${target()}`]);
  expect(lines).toContain('  disk     1.6 GB, and 2.4 GB while it is made');
  expect(lines).toContain(`process ${process.pid} is providing the SYCL runtime; waiting for it`);
  expect(lines).toContain('  1/10 dpctl 0.22.1: 2 MB');
  expect(readdirSync(directory).sort()).toEqual(['.sycl-runtime', 'index']);
  lines = [];
  expect(await provide({ PATH: directory })).toEqual({ state: 'ready', library: library() });
  expect(lines).toEqual([]);
});

/** What an interrupted attempt leaves: all wheels, and an index that has nothing more. */
function interrupted(): NodeJS.ProcessEnv {
  const wheels = path.join(directory, '.sycl-runtime.partial', 'wheels');
  mkdirSync(wheels, { recursive: true });
  return { ...fakeIndex(wheels), PIP_FIND_LINKS: path.join(directory, 'nowhere') };
}

test('goes on where an interrupted attempt stopped', async () => {
  expect((await provide(interrupted())).state).toBe('ready');
  expect(lines).toContain('  2/10 intel-opencl-rt 2026.2.0: there from before');
});

test('a Python without ensurepip uses its own pip on the new environment', async () => {
  const command = path.join(directory, 'python-without-ensurepip');
  const answer = `[${pythonMinor()}, "CPython", true, false, true]`;
  const text = `#!/bin/sh\n[ "$1" = -I ] && echo '${answer}' || exec python3 "$@"\n`;
  writeFileSync(command, text, { mode: 0o755 });
  const outcome = await provide({ ...interrupted(), ARRAY_INTERFACE_PYTHON: command });
  expect(outcome).toEqual({ state: 'ready', library: library() });
  expect(existsSync(path.join(directory, '.sycl-runtime', 'bin', 'pip'))).toBe(false);
});

test('a package index that cannot be reached is said', async () => {
  const env = { ...withoutPipSettings(), PIP_INDEX_URL: 'http://127.0.0.1:9/simple' };
  const outcome = await provide(env);
  expect(outcome).toMatchObject({ state: 'failed', reason: 'pip cannot reach the package index' });
  expect(existsSync(library())).toBe(false);
});

test('modules of the working folder are not those of Python', () => {
  writeFileSync(path.join(directory, 'platform.py'), 'raise SystemExit(1)');
  const before = process.cwd();
  process.chdir(directory);
  try {
    expect(findPython(process.env).command).toBeTruthy();
  } finally {
    process.chdir(before);
  }
});

test('a missing python3 is said', async () => {
  const outcome = await provide({ PATH: directory });
  expect(outcome).toMatchObject({ state: 'failed', reason: 'python3 cannot be run' });
  expect(outcome).toHaveProperty('remedy', expect.stringContaining('python3-venv'));
});

test.each([
  ['[9, "CPython", true, true, true]', 'has no wheels for CPython 3.9'],
  ['[15, "CPython", true, true, true]', 'has no wheels for CPython 3.15'],
  ['[11, "PyPy", true, true, true]', 'has no wheels for PyPy 3.11'],
  ['[11, "CPython", false, true, true]', 'has no module venv'],
  ['[11, "CPython", true, false, false]', 'has no module ensurepip'],
])('a Python that answers %s is refused', async (answer, reason) => {
  const outcome = await provide(fakePython(answer));
  expect(outcome).toMatchObject({ state: 'failed', reason: expect.stringContaining(reason) });
});

test('is left out when ARRAY_INTERFACE_SYCL is 0', async () => {
  const outcome = await provide({ ...process.env, ARRAY_INTERFACE_SYCL: '0' });
  expect(outcome).toMatchObject({ state: 'left out', reason: 'ARRAY_INTERFACE_SYCL is 0' });
  expect(readdirSync(directory)).toEqual([]);
});

test.each([
  ['the package with the sycl addon is not installed', {}, 'the sycl addon is not installed'],
  [
    'no SYCL runtime was found',
    { ARRAY_INTERFACE_DPCTL_LIBRARY: 'x' },
    'ARRAY_INTERFACE_DPCTL_LIBRARY names no runtime',
  ],
])('what is there and cannot be used is not replaced: %s', async (reason, env, sentence) => {
  const outcome = await provide(env, () => ({ available: false, reason, tried: ['why'] }));
  expect(outcome).toMatchObject({ state: 'failed', reason: expect.stringContaining(sentence) });
  expect(readdirSync(directory)).toEqual([]);
});

test('a .sycl-runtime without a device is named, not fetched anew', async () => {
  mkdirSync(path.join(directory, '.sycl-runtime'));
  const outcome = await provide(process.env, () => ({
    available: false,
    reason: 'a SYCL runtime was found but it has no device',
    tried: [],
  }));
  expect(outcome).toMatchObject({
    state: 'failed',
    remedy: 'remove that folder and run this again',
  });
  expect(lines).toEqual([]);
});
