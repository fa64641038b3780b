import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { libraryPath } from '@array-interface/cuda-simulator';
import { afterAll, expect, test } from 'vitest';

const file = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gpu-checks-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Result {
  readonly notRun: string | null;
  readonly passed: number;
  readonly failed: number;
  readonly driver: { readonly kind: string };
  readonly checks: readonly { readonly name: string; readonly ok: boolean }[];
  readonly simulated?: boolean;
  readonly answers?: unknown;
  readonly figures?: {
    readonly rows: readonly { readonly name: string }[];
    readonly drawn: { readonly rows: readonly { readonly name: string }[] };
  };
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const out = join(folder, 'result.json');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--out', out, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr, result: JSON.parse(readFileSync(out, 'utf8')) as Result };
}

/** What the documentation says that a driver answers, and what those of real GPUs did. */
function recordedAnswers(): { name: string; answers: unknown }[] {
  const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
  const recorded = file('../../bench/results');
  const names = existsSync(recorded) ? readdirSync(recorded) : [];
  const real = names.filter((name) => /^gpu-.*\.json$/.test(name));
  return [
    { name: 'the documentation', answers: read(file('driver/documented.json')) },
    ...real.map((name) => ({ name, answers: (read(join(recorded, name)) as Result).answers })),
  ];
}

const simulated = { ARRAY_INTERFACE_LIBCUDA: libraryPath };

test('carried elsewhere, every check passes on the simulator if that is requested', () => {
  const carried = join(folder, 'carried');
  const { status: made, stderr: why } = spawnSync(process.execPath, [file('carry.mjs'), carried], {
    encoding: 'utf8',
  });
  expect(made, why).toBe(0);
  const program = join(carried, 'run.mjs');
  const results = join(folder, 'results');
  const { status, stdout, result } = run(program, ['--simulator', '--results', results], simulated);
  expect(
    result.checks.filter(({ ok }) => !ok),
    stdout,
  ).toEqual([]);
  expect(status).toBe(0);
  expect(result.driver.kind).toBe('simulator');
  expect(result.passed).toBe(79);
  expect(result.simulated).toBe(true);
  expect(result.figures?.rows.length).toBe(12);
  expect(result.figures?.drawn.rows.length).toBe(2);
  expect(stdout.match(/^SIMULATED /gm)?.length).toBe(14);
  for (const { name, answers } of recordedAnswers()) expect(result.answers, name).toEqual(answers);
  expect(existsSync(results), 'a result that is no GPU’s').toBe(false);
  expect(stdout).toContain(`${result.passed} passed, 0 failed on the simulator, which is no GPU`);
});

test('the simulator is not mistaken for a GPU', () => {
  const { status, stdout, result } = run(file('run.mjs'), [], simulated);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^not run: .* is the CUDA simulator and no GPU; .*\n$/);
  expect(result).toMatchObject({ passed: 0, failed: 0, checks: [] });
  expect(result.notRun).toContain('no GPU');
});

test('without a driver nothing runs, and one line says so', () => {
  const absent = { ARRAY_INTERFACE_LIBCUDA: join(folder, 'libcuda.so.1') };
  const { status, stdout, result } = run(file('run.mjs'), [], absent);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^not run: no CUDA driver that can be used: .*\n$/);
  expect(result).toMatchObject({ passed: 0, failed: 0, driver: { kind: 'none' } });
  expect(run(file('run.mjs'), ['--simulator'], absent).status).toBe(1);
});

test('a driver that fails makes checks fail, and the exit status with them', () => {
  const faulty = { ...simulated, CUDA_SIMULATOR_FAIL: 'cuLaunchKernel:3' };
  const { status, result } = run(file('run.mjs'), ['--simulator'], faulty);
  expect(status).toBe(1);
  expect(result.failed).toBeGreaterThan(0);
});

/** What python.mjs prints with a Python, on a driver. */
function inProcess(args: readonly string[], env: NodeJS.ProcessEnv) {
  return spawnSync(process.execPath, [file('python.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}

test('libraries in this process do not run without a GPU', () => {
  const { status, stdout } = inProcess([], simulated);
  expect([status, stdout]).toEqual([
    0,
    'not run: Python in this process: no GPU, as it says above\n',
  ]);
});

test('libraries that are not installed are named', () => {
  const GPU_PYTHON = file('../../.sycl-runtime/bin/python'); // NumPy and dpctl
  const { status, stdout } = inProcess(['--simulator'], { ...simulated, GPU_PYTHON });
  const lines = stdout.trim().split('\n');
  expect([status, lines.length]).toEqual([0, 4]);
  for (const line of lines) expect(line).toMatch(/^not run: .* in this process: no module /);
});
