import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compare } from '../../runner/compare.mjs';
import { printed } from '../../runner/printed.mjs';

/** Nanoseconds of the first work of a new process, with or without a cache of kernels. */
const firstOf = (work, env) => async () => 1e6 * (await printed('first-kernels', [work], env));

const withoutCache = { ARRAY_INTERFACE_KERNEL_CACHE: '0' };

const row = (name, work, most, cache) => ({
  name,
  // The warm-up turn fills the cache.
  contenders: () => ({
    ours: firstOf(work, { XDG_CACHE_HOME: cache }),
    'compiled anew': firstOf(work, withoutCache),
  }),
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
