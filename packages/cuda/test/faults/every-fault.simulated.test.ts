import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cuda } from '@array-interface/cuda';
import { expect, test } from 'vitest';
import { entryPoints } from '../support/entry-points.js';
import { forProcesses } from '../support/for-processes.js';

// Every function of the driver that the addon uses fails once, twice, half way and at its last call in
// a run of all that the package does: see every-fault.mjs, which has to call each new function.

interface Outcome {
  readonly error: { readonly code: string; readonly call: string; readonly message: string } | null;
  readonly calls: Readonly<Record<string, number>>;
  /** True, or what went wrong in the run after it. */
  readonly works: unknown;
  /** In words, what our counts or the driver's say is left. */
  readonly left: readonly string[];
}

interface Results {
  readonly first: Outcome;
  readonly second: Outcome;
  readonly faults: Readonly<Record<string, Outcome>>;
}

/** All except what is only called in drivers before 12.0, which have no cuCtxGetId. */
const NAMES = entryPoints
  .map(({ name }) => name)
  .filter((name) => name !== 'cuDevicePrimaryCtxGetState');

/**
 * They release something, query when it may be released, describe an error, compile ahead of need, or
 * have a fallback. Their failures are not reported. A query that the user makes is tested in
 * faults.simulated.test.ts.
 */
const QUIET = [
  'cuEventQuery',
  'cuGetErrorName',
  'cuGetErrorString',
  'cuCtxPopCurrent',
  'cuCtxSetCurrent',
  'cuCtxEnablePeerAccess',
  'cuMemPoolSetAccess',
  'cuModuleGetFunction',
  'cuModuleLoadDataEx',
  'cuMemFree',
  'cuModuleUnload',
  'cuMemFreeHost',
  'cuMemFreeAsync',
  'cuMemHostUnregister',
  'cuMemPoolDestroy',
  'cuIpcCloseMemHandle',
  'cuStreamDestroy',
  'cuEventDestroy',
  'cuThreadExchangeStreamCaptureMode',
];

/** What fails here may leave its one thing with the driver: nobody can give that back. */
const GIVES_BACK = [
  'cuCtxGetId',
  'cuCtxGetCurrent',
  'cuCtxPushCurrent',
  'cuMemFree',
  'cuMemFreeHost',
  'cuMemFreeAsync',
  'cuMemHostUnregister',
  'cuIpcCloseMemHandle',
  'cuStreamDestroy',
  'cuEventDestroy',
];

async function run(ticket: object, fault?: string): Promise<Results> {
  const program = fileURLToPath(new URL('every-fault.mjs', import.meta.url));
  const folder = mkdtempSync(path.join(tmpdir(), 'every-fault-'));
  const file = path.join(folder, 'results.json');
  const args = ['--expose-gc', program, JSON.stringify(NAMES), JSON.stringify(ticket), file];
  const env = fault === undefined ? process.env : { ...process.env, CUDA_SIMULATOR_FAIL: fault };
  try {
    await promisify(execFile)(process.execPath, args, { env, timeout: 500_000 });
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function checkClean(fault: string, { error, works, left }: Outcome): void {
  const [name] = fault.split(':') as [string];
  const leaks = left.filter((what) => !(GIVES_BACK.includes(name) && what.startsWith('1 leaked ')));
  expect({ fault, works, leaks }).toEqual({ fault, works: true, leaks: [] });
  if (error !== null) {
    expect(error.call, fault).toBe(name);
    expect(error.code, fault).toBe('ERR_CUDA');
    expect(error.message).toContain(`expected ${name} to succeed, got CUDA_ERROR_UNKNOWN`);
  }
}

/** Whether the first call of its kind failed, and nobody heard of it who should have. */
function wentUnreported(fault: string, { error }: Outcome): boolean {
  const [name, number] = fault.split(':') as [string, string];
  return error === null && number === '1' && !QUIET.includes(name);
}

test('any driver call may fail: the error is clean, nothing leaks, and everything works afterwards', async () => {
  using array = await cuda.array(new Uint8Array(64));
  await cuda.synchronize();
  const ticket = forProcesses(array);
  const { first, second, faults } = await run(ticket);
  for (const outcome of [first, second]) {
    expect(outcome.left, 'what is left where nothing fails').toEqual([]);
    expect(outcome).toMatchObject({ error: null, works: true });
  }
  expect(NAMES.filter((name) => !first.calls[name])).toEqual([]);
  const played = Object.keys(faults).map((fault) => fault.split(':')[0]);
  const once = NAMES.filter((name) => !played.includes(name));
  for (const [fault, outcome] of Object.entries(faults)) checkClean(fault, outcome);

  // What a process calls once only fails in a process of its own. So does a call that a background
  // thread, which still released what an earlier round had used, made before the round did.
  expect(once.length).toBeLessThan(10);
  const unreported = Object.entries(faults)
    .filter(([fault, outcome]) => wentUnreported(fault, outcome))
    .map(([fault]) => fault.split(':')[0] as string);
  const alone = [...once, ...unreported];
  for (const name of alone.filter((one) => one !== 'cuInit' && one !== 'cuDriverGetVersion')) {
    const { first: outcome } = await run(ticket, `${name}:1:UNKNOWN`);
    checkClean(`${name}:1`, outcome);
    expect(wentUnreported(`${name}:1`, outcome), `${name}:1 went unreported`).toBe(false);
  }
});

test('a driver that does not start is unavailable, whichever call fails', async () => {
  using array = await cuda.array(new Uint8Array(64));
  const ticket = forProcesses(array);
  for (const name of ['cuInit', 'cuDriverGetVersion']) {
    const { error } = (await run(ticket, `${name}:1:UNKNOWN`)).first;
    expect(error?.code).toBe('ERR_BACKEND_UNAVAILABLE');
    expect(error?.message).toContain(`${name} to succeed, got CUDA_ERROR_UNKNOWN`);
  }
});
