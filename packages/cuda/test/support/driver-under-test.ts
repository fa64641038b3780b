import { existsSync } from 'node:fs';
import { libraryPath } from '@array-interface/cuda-simulator';

// Run first in every test file's process (vitest.config.ts): names the driver before it is loaded.
// ARRAY_INTERFACE_LIBCUDA may name another build of the simulator. ARRAY_INTERFACE_TEST_GPU=1 leaves
// the choice to the machine, so that a real driver is tested.

/** Whether the tests run on the simulator. */
export const isSimulated: boolean = process.env.ARRAY_INTERFACE_TEST_GPU !== '1';

if (isSimulated) {
  process.env.ARRAY_INTERFACE_LIBCUDA ||= libraryPath;
  // Every program that a test starts ends as on a real driver, and says who calls that too late.
  process.env.CUDA_SIMULATOR_TEARDOWN = '1';
  const chosen = process.env.ARRAY_INTERFACE_LIBCUDA;
  if (!existsSync(chosen)) {
    throw new Error(`expected the CUDA simulator at ${chosen}; build it with npm run setup`);
  }
}

/** Whether work runs only when something waits for it: what some tests rest on. */
export const isLazy: boolean =
  isSimulated && (process.env.CUDA_SIMULATOR_SCHEDULE || 'lazy') === 'lazy';
