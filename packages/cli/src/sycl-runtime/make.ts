import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from './outcome.js';
import { type Pip, runPip } from './pip.js';
import type { Python } from './python.js';
import { bytesNeeded, requirements, size } from './requirements.js';
import { fetchWheels } from './wheels.js';

async function checkSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytesNeeded) return;
  const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);
  throw new Failure(
    `it needs ${gigabytes(bytesNeeded)} GB while it is made, and ${folder} has ` +
      `${gigabytes(bavail * bsize)} GB free`,
    'free some space and run this again',
  );
}

function makeEnvironment(python: Python, folder: string, env: NodeJS.ProcessEnv): void {
  const without = python.hasEnsurepip ? [] : ['--without-pip'];
  const made = spawnSync(python.command, ['-m', 'venv', '--clear', ...without, folder], {
    env,
    encoding: 'utf8',
  });
  if (made.status === 0) return;
  const why = (made.stderr || made.stdout || String(made.error)).trim().split('\n').at(-1);
  throw new Failure(
    `${python.command} cannot make a virtual environment: ${why}`,
    'install venv (Debian, Ubuntu: sudo apt install python3-venv)',
  );
}

/**
 * Makes the runtime as a virtual environment at `target` with the pinned packages. It is built in
 * `partial` and renamed, so that half of one is never found; wheels that an interrupted attempt
 * has fetched are used again. Throws a Failure that says why it cannot be done. Waits for pip.
 */
export async function makeRuntime(
  python: Python,
  target: string,
  partial: string,
  log: (line: string) => void,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  await checkSpace(path.dirname(target));
  log(`Providing a SYCL runtime in ${target}: ${size}, 0.5 GB to fetch, once.`);
  const runtime = path.join(partial, 'runtime');
  makeEnvironment(python, runtime, env);
  const own = path.join(runtime, 'bin', 'python');
  const pip: Pip = {
    command: python.hasEnsurepip
      ? [own, '-m', 'pip']
      : [python.command, '-m', 'pip', '--python', own],
    env,
  };
  const wheels = path.join(partial, 'wheels');
  const wanted = requirements(python.minor);
  await fetchWheels(pip, wanted, wheels, log);
  log('  unpacking');
  const local = ['--no-index', '--find-links', wheels, '--no-cache-dir', '--no-deps'];
  const pins = wanted.map(({ name, version }) => `${name}==${version}`);
  await runPip(pip, ['install', ...local, ...pins]);
  if (existsSync(target)) await rm(target, { recursive: true });
  await rename(runtime, target);
  await rm(wheels, { recursive: true });
}
