import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { libraryPath } from '@array-interface/cuda-simulator';
import { expect, test } from 'vitest';

// A worker's end does not free memory on which another backend's device works. The tests run in
// processes of their own, which would crash if it did.

const PROGRAM = fileURLToPath(new URL('../programs/worker-ends.mjs', import.meta.url));

/** The memory that is used, and the order in which the worker loads the packages. */
const CASES = [
  ['system', 'host,sycl'],
  ['system', 'sycl,host'],
  ['pinned', 'sycl,cuda'],
  ['registered', 'host,cuda'],
] as const;

test.each(CASES)('%s memory, in a worker that loads %s', async (what, loaded) => {
  // work on registered memory is still to be done when the worker's end begins, and ends while that waits
  const lazy = what === 'registered' && { CUDA_SIMULATOR_LAZY_QUERIES: '1000' };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, what, loaded], {
    env: { ...process.env, ARRAY_INTERFACE_LIBCUDA: libraryPath, ...lazy },
    timeout: 300_000,
  });
  expect(JSON.parse(stdout)).toEqual({ status: 1, values: [1, 2, 3] });
});
