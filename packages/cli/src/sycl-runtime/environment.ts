import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '@array-interface/sycl';
import { Failure } from './outcome.js';
import { type Pip, runPip } from './pip.js';
import type { Python } from './python.js';
import type { Requirement } from './requirements.js';
import { fetchWheels } from './wheels.js';

/** A virtual environment to be made. */
export interface EnvironmentPlan {
  readonly python: Python;
  /** The folder of the environment; replaces what is there. */
  readonly target: string;
  /** The folder where it is built; keeps fetched wheels for the next attempt. */
  readonly partial: string;
  /** Every package, dependencies included. */
  readonly wanted: readonly Requirement[];
  /** Bytes that have to be free. */
  readonly bytesNeeded: number;
  readonly log: (line: string) => void;
  readonly env: Environment;
}

/** Throws a Failure if there is not enough room in `folder`, which has to exist. */
export async function checkSpace(folder: string, bytesNeeded: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytesNeeded) return;
  const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);
  throw new Failure(
    `it needs ${gigabytes(bytesNeeded)} GB while it is made, and ${folder} has ` +
      `${gigabytes(bavail * bsize)} GB free`,
    'free some space and run this again',
  );
}

function create(python: Python, folder: string, env: Environment): void {
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
 * Makes a virtual environment with the pinned packages. Builds it in `partial` and renames it, so that
 * nobody finds half of one. Uses wheels again that an interrupted attempt has fetched.
 * Throws a Failure that says why it cannot be done. Waits for pip.
 */
export async function makeEnvironment(plan: EnvironmentPlan): Promise<void> {
  const { python, target, partial, wanted, log, env } = plan;
  await mkdir(path.dirname(target), { recursive: true });
  await checkSpace(path.dirname(target), plan.bytesNeeded);
  const made = path.join(partial, path.basename(target));
  create(python, made, env);
  const own = path.join(made, 'bin', 'python');
  const pip: Pip = {
    command: python.hasEnsurepip
      ? [own, '-m', 'pip']
      : [python.command, '-m', 'pip', '--python', own],
    env,
  };
  const wheels = path.join(partial, 'wheels');
  await fetchWheels(pip, wanted, wheels, log);
  log('  unpacking');
  const local = ['--no-index', '--find-links', wheels, '--no-cache-dir', '--no-deps'];
  // Few of its modules are ever imported, and Python compiles those when they are.
  local.push('--no-compile');
  const pins = wanted.map(({ name, version }) => `${name}==${version}`);
  await runPip(pip, ['install', ...local, ...pins]);
  if (existsSync(target)) await rm(target, { recursive: true });
  await rename(made, target);
  await rm(wheels, { recursive: true });
}
