import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const LONGEST_SECONDS = 240;

/**
 * The environment of a benchmark: all memory is on huge pages, which NumPy requests for its own
 * arrays. Benchmarks compare copies, not the pages that each library happens to get.
 */
const environment = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1', ...process.env };

/** The files of the benchmarks in the folder of a checkout's bench, by name. */
export function benchmarksIn(bench) {
  const folder = path.join(bench, 'benchmarks');
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.mjs'));
  return new Map(files.map((file) => [path.basename(file, '.mjs'), path.join(folder, file)]));
}

/** Runs a benchmark in its own process, which stores the result in `results` of that folder. */
export function runApart(bench, name, options) {
  return spawnSync(process.execPath, ['--expose-gc', path.join(bench, 'run.mjs'), '--here', name], {
    ...options,
    env: { ...environment, ...options.env },
    timeout: LONGEST_SECONDS * 1e3,
    killSignal: 'SIGKILL',
  });
}
