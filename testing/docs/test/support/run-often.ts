import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { libraryPath } from '@array-interface/cuda-simulator';

/** What many runs of an example left. */
export interface Left {
  /** How often V8 collected garbage meanwhile: 0, or `left` says less than it could. */
  readonly collections: number;
  /** What is live, by its name; nothing, where all is well. */
  readonly left: Readonly<Record<string, number>>;
}

/**
 * Room for all that the runs make, so that V8 has no reason to collect garbage; nor does it where a busy
 * machine lets seconds pass.
 */
const ROOM = [
  '--min-semi-space-size=512',
  '--max-semi-space-size=512',
  '--initial-old-space-size=2048',
  '--no-memory-reducer',
];

/** Work is pending at first, and done when it is asked for twice. */
const SOON = { CUDA_SIMULATOR_LAZY_QUERIES: '2' };

/**
 * Calls the function that a module exports, again and again, in a process of its own. `collects`: then
 * collects garbage.
 */
export async function runOften(
  file: string,
  times: number,
  cwd: string,
  collects: boolean,
): Promise<Left> {
  const program = path.join(import.meta.dirname, '..', '..', 'programs', 'run-often.mjs');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...ROOM, ...(collects ? ['--expose-gc'] : []), program, file, String(times)],
    { cwd, env: { ...process.env, ARRAY_INTERFACE_LIBCUDA: libraryPath, ...SOON } },
  );
  return JSON.parse(stdout) as Left;
}
