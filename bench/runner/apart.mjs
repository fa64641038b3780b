import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const LONGEST_SECONDS = 240;

/**
 * The environment of a benchmark: all memory is on huge pages, which NumPy requests for its own
 * arrays. Benchmarks compare copies, not the pages that each library happens to get.
 */
const environment = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1', ...process.env };

/** The names of the benchmarks in the folder of a checkout's bench. */
export const namesIn = (bench) =>
  readdirSync(path.join(bench, 'benchmarks')).map((file) => path.basename(file, '.mjs'));

/** Runs a benchmark in its own process, which stores the result in `results` of that folder. */
export function runApart(bench, name, options) {
  return spawnSync(process.execPath, ['--expose-gc', path.join(bench, 'run.mjs'), '--here', name], {
    ...options,
    env: { ...environment, ...options.env },
    timeout: LONGEST_SECONDS * 1e3,
    killSignal: 'SIGKILL',
  });
}
