import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '@array-interface/sycl';
import { Failure } from '../output/failure.js';
import { ownFolder } from './own-folder.js';
import { type Pip, runPip } from './pip.js';
import type { Python } from './python.js';
import { hashFlags, pinOf, type Requirement } from './requirements.js';
import { fetchWheels } from './wheels.js';

/** The prefix of the folders in which environments are built. */
const MAKING = 'making-';

/** A virtual environment to build. */
export interface EnvironmentPlan {
  readonly python: Python;
  /** The folder of the environment. Whatever is there is replaced. */
  readonly target: string;
  /**
   * The folder where it is built, which only this user may access. Keeps fetched wheels for the
   * next attempt.
   */
  readonly partial: string;
  /** Every package, dependencies included. */
  readonly wanted: readonly Requirement[];
  /** Bytes of disk space that must be free. */
  readonly bytesNeeded: number;
  readonly log: (line: string) => void;
  readonly env: Environment;
}

/** Throws a Failure if there is not enough room in `folder`, which must exist. */
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

// Isolated (-I), so that Python imports no module from the user's working folder.
function create(python: Python, folder: string, env: Environment): void {
  const without = python.hasEnsurepip ? [] : ['--without-pip'];
  const made = spawnSync(python.command, ['-I', '-m', 'venv', ...without, folder], {
    env,
    cwd: path.dirname(folder),
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
 * Builds a virtual environment with the pinned packages. Builds it in a new folder in `partial` and
 * renames it, so that no process ever finds half of one. Reuses wheels that an interrupted attempt
 * has fetched. If the pins have hashes, everything installed matches them. Throws a Failure with
 * the reason if it cannot be built. Settles once pip has ended.
 */
export async function makeEnvironment(plan: EnvironmentPlan): Promise<void> {
  const { python, target, partial, wanted, log, env } = plan;
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  await checkSpace(path.dirname(target), plan.bytesNeeded);
  await ownFolder(partial);
  for (const left of await readdir(partial)) {
    if (left.startsWith(MAKING)) await rm(path.join(partial, left), { recursive: true });
  }
  const work = await mkdtemp(path.join(partial, MAKING));
  const made = path.join(work, path.basename(target));
  create(python, made, env);
  const own = path.join(made, 'bin', 'python');
  const pip: Pip = {
    command: python.hasEnsurepip
      ? [own, '-I', '-m', 'pip']
      : [python.command, '-I', '-m', 'pip', '--python', own],
    env,
    folder: work,
  };
  const wheels = path.join(partial, 'wheels');
  await fetchWheels(pip, wanted, wheels, log);
  log('  unpacking');
  const local = ['--no-index', '--find-links', wheels, '--no-cache-dir', '--no-deps'];
  // Most of its modules are never imported, and Python compiles the others on import.
  local.push('--no-compile');
  const pins = path.join(work, 'pins.txt');
  await writeFile(pins, wanted.map((one) => `${pinOf(one)}\n`).join(''));
  await runPip(pip, ['install', ...local, ...hashFlags(wanted), '--requirement', pins]);
  await rm(target, { recursive: true, force: true });
  await rename(made, target);
  await rm(work, { recursive: true });
  await rm(wheels, { recursive: true });
}
