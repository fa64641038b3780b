import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compare } from '../runner/compare.mjs';

const CHILD = fileURLToPath(new URL('../programs/first-kernels.mjs', import.meta.url));
const run = promisify(execFile);

/** Nanoseconds of the first work of a new process, with or without a cache of kernels. */
const firstOf = (work, cache) => async () => {
  const kept = cache === null ? { ARRAY_INTERFACE_KERNEL_CACHE: '0' } : { XDG_CACHE_HOME: cache };
  const { stdout } = await run(process.execPath, [CHILD, work], {
    env: { ...process.env, ...kept },
  });
  return Number(stdout) * 1e6;
};

const row = (name, work, most, cache) => ({
  name,
  // The warm-up turn fills the cache.
  contenders: () => ({ ours: firstOf(work, cache), 'compiled anew': firstOf(work, null) }),
  targets: [{ most }],
});

export default {
  what:
    'The first copy of a process on SYCL, of a matrix of 64 x 64 numbers that is turned and converted, and the first launches of ' +
    '24 kernels of one module, with the kernels that an earlier process kept and without. The runtime is opened before.',
  plot: { field: 'nanoseconds', title: 'nanoseconds until it has ended (less is better)' },
  async run() {
    const cache = mkdtempSync(path.join(tmpdir(), 'first-kernels-'));
    try {
      return await compare([
        row('first copy', 'copy', 20e6, cache),
        row('24 kernels of one module', 'launches', 200e6, cache),
      ]);
    } finally {
      rmSync(cache, { recursive: true });
    }
  },
};
