import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Found } from '../../src/sycl-runtime/find.js';
import { type Outcome, provideSyclRuntime } from '../../src/sycl-runtime/provide.js';
import { findPython } from '../../src/sycl-runtime/python.js';
import type { Requirement } from '../../src/sycl-runtime/requirements.js';
import { fakeIndex, fakePins, pythonMinor, withoutPipSettings } from './fake-index.js';

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
const partial = (): string => `${target()}.partial`;

const library = (): string => {
  const packages = `lib/python3.${pythonMinor()}/site-packages`;
  return path.join(target(), packages, 'dpctl/libDPCTLSyclInterface.so');
};

// Takes any library for a runtime: those that the tests make are none.
const find = (): Found =>
  existsSync(library())
    ? { available: true, library: library() }
    : { available: false, reason: 'no SYCL runtime was found', tried: ['everything'] };

/** What the wheels of the test are. */
let pins: readonly Requirement[] = [];
const provide = (env: NodeJS.ProcessEnv, found: () => Found = find): Promise<Outcome> =>
  provideSyclRuntime({
    target: target(),
    find: found,
    packages: () => pins,
    env,
    log: (line) => lines.push(line),
  });

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
  const env = fakeIndex(folder);
  pins = fakePins(folder);
  return env;
}

test('two processes at once create one runtime, once, and leave nothing beside it', async () => {
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
  const wheels = path.join(partial(), 'wheels');
  mkdirSync(wheels, { recursive: true, mode: 0o700 });
  const env = fakeIndex(wheels);
  pins = fakePins(wheels);
  return { ...env, PIP_FIND_LINKS: path.join(directory, 'nowhere') };
}

test('continues an interrupted attempt', async () => {
  expect((await provide(interrupted())).state).toBe('ready');
  expect(lines).toContain('  2/10 intel-opencl-rt 2026.2.0: there from before');
});

test('a Python without ensurepip uses its own pip on the new environment', async () => {
  const command = path.join(directory, 'python-without-ensurepip');
  const answer = `[${pythonMinor()}, "CPython", true, false, true]`;
  const text = `#!/bin/sh\n[ "$2" = -c ] && echo '${answer}' || exec python3 "$@"\n`;
  writeFileSync(command, text, { mode: 0o755 });
  const outcome = await provide({ ...interrupted(), ARRAY_INTERFACE_PYTHON: command });
  expect(outcome).toEqual({ state: 'ready', library: library() });
  expect(existsSync(path.join(directory, '.sycl-runtime', 'bin', 'pip'))).toBe(false);
});

test('a package index that cannot be reached is reported', async () => {
  const env = { ...withoutPipSettings(), PIP_INDEX_URL: 'http://127.0.0.1:9/simple' };
  const outcome = await provide(env);
  expect(outcome).toMatchObject({ state: 'failed', reason: 'pip cannot reach the package index' });
  expect(existsSync(library())).toBe(false);
});

test('modules in the working folder do not replace Python’s', () => {
  writeFileSync(path.join(directory, 'platform.py'), 'raise SystemExit(1)');
  const before = process.cwd();
  process.chdir(directory);
  try {
    expect(findPython(process.env).command).toBeTruthy();
  } finally {
    process.chdir(before);
  }
});

test('a Python that every user may write is not run', async () => {
  const program = path.join(directory, 'python');
  writeFileSync(program, `#!/bin/sh\ntouch ${directory}/was-run\n`);
  chmodSync(program, 0o777);
  const outcome = await provide({ ...process.env, ARRAY_INTERFACE_PYTHON: program });
  expect(outcome).toHaveProperty('reason', expect.stringContaining('may be written by every user'));
  expect(existsSync(path.join(directory, 'was-run'))).toBe(false);
});

test('a missing python3 is reported', async () => {
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

test('is skipped if ARRAY_INTERFACE_SYCL is 0', async () => {
  const outcome = await provide({ ...process.env, ARRAY_INTERFACE_SYCL: '0' });
  expect(outcome).toMatchObject({ state: 'left out', reason: 'ARRAY_INTERFACE_SYCL is 0' });
  expect(readdirSync(directory)).toEqual([]);
});

test.each([
  ['the package with the sycl addon is not installed', {}, 'the sycl addon is not installed'],
  [
    'no SYCL runtime was found',
    { ARRAY_INTERFACE_DPCTL_LIBRARY: 'x' },
    'ARRAY_INTERFACE_DPCTL_LIBRARY names a runtime that does not work',
  ],
])('an existing runtime that cannot be used is not replaced: %s', async (reason, env, sentence) => {
  const outcome = await provide(env, () => ({ available: false, reason, tried: ['why'] }));
  expect(outcome).toMatchObject({ state: 'failed', reason: expect.stringContaining(sentence) });
  expect(readdirSync(directory)).toEqual([]);
});

test('a .sycl-runtime without a device is reported, not fetched again', async () => {
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

describe('a hostile folder', () => {
  /** A folder whose content must survive. */
  function precious(): string {
    const folder = path.join(directory, 'precious');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'file'), 'kept');
    return folder;
  }

  const refusal = (what: string, why: string) => ({
    state: 'failed',
    reason: `expected ${what} to be a folder that this command made for you alone, got ${why}`,
    remedy: 'remove it and run this again',
  });

  test('has a link where the runtime is created, and the link’s target is not changed', async () => {
    const env = index();
    const folder = precious();
    mkdirSync(partial(), { mode: 0o700 });
    symlinkSync(folder, path.join(partial(), '.sycl-runtime'));
    expect((await provide(env)).state).toBe('ready');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('has a link in place of the folder where it is created', async () => {
    const folder = precious();
    symlinkSync(folder, partial());
    expect(await provide(index())).toEqual(refusal(partial(), 'a symbolic link'));
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('has a link in place of the fetched wheels', async () => {
    const folder = precious();
    mkdirSync(partial(), { mode: 0o700 });
    symlinkSync(folder, path.join(partial(), 'wheels'));
    const wheels = path.join(partial(), 'wheels');
    expect(await provide(index())).toEqual(refusal(wheels, 'a symbolic link'));
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('has a link in place of the runtime', async () => {
    const env = index();
    const folder = precious();
    symlinkSync(path.join(directory, 'nowhere'), target());
    expect((await provide(env)).state).toBe('ready');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('has leftovers that others could have put there', async () => {
    mkdirSync(partial());
    chmodSync(partial(), 0o775);
    expect(await provide(index())).toEqual(refusal(partial(), 'one that others may read or write'));
  });

  test('is one that every user may write', async () => {
    chmodSync(directory, 0o777);
    const outcome = await provide(index());
    expect(outcome).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining(`${directory} may be written by every user`),
    });
    expect(existsSync(partial())).toBe(false);
  });

  test('has forged wheels from before, with other hashes', async () => {
    const env = interrupted();
    pins = pins.map((pin) => ({ ...pin, sha256: ['0'.repeat(64)] }));
    expect(await provide(env)).toEqual({
      state: 'failed',
      reason: expect.stringMatching(/^the wheel of \S+ is not the one that was tested/),
      remedy: expect.stringContaining('.partial'),
    });
    expect(existsSync(target())).toBe(false);
  });

  test('has wheels on its index with other hashes', async () => {
    const env = index();
    pins = pins.map((pin) => ({ ...pin, sha256: ['0'.repeat(64)] }));
    expect((await provide(env)).state).toBe('failed');
    expect(existsSync(target())).toBe(false);
  });

  test.each([
    ['an index', index],
    ['an earlier attempt', interrupted],
  ])('refuses a list of wheels without hashes, of %s', async (_, env) => {
    const environment = env();
    pins = pins.map((pin) => ({ ...pin, sha256: [] }));
    expect(await provide(environment)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('require-hashes'),
    });
    expect(existsSync(target())).toBe(false);
  });

  test("has modules named like Python's own, which are not run", async () => {
    const env = index();
    const owned = path.join(directory, 'owned');
    for (const name of ['venv', 'pip', 'ensurepip', 'json', 'sitecustomize']) {
      writeFileSync(path.join(directory, `${name}.py`), `open(${JSON.stringify(owned)}, 'w')`);
    }
    const before = process.cwd();
    process.chdir(directory);
    try {
      expect((await provide({ ...env, PYTHONPATH: directory })).state).toBe('ready');
    } finally {
      process.chdir(before);
    }
    expect(existsSync(owned)).toBe(false);
  });

  test('whatever the umask, only the user may write what is created', async () => {
    const env = index();
    const before = process.umask(0o002);
    try {
      expect((await provide(env)).state).toBe('ready');
    } finally {
      process.umask(before);
    }
    expect(statSync(path.dirname(library())).mode & 0o002).toBe(0);
    expect(readdirSync(directory).sort()).toEqual(['.sycl-runtime', 'index']);
  });
});
