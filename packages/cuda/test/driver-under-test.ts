import { existsSync } from 'node:fs';
import { libraryPath } from '@array-interface/cuda-simulator';

// Run first in every test file's process (vitest.config.ts): names the driver before it is loaded.
// ARRAY_INTERFACE_TEST_GPU=1 leaves the choice to the machine, so that a real driver is tested.

/** Whether the tests run on the simulator. */
export const isSimulated: boolean = process.env.ARRAY_INTERFACE_TEST_GPU !== '1';

if (isSimulated) {
  if (!existsSync(libraryPath)) {
    throw new Error(`expected the CUDA simulator at ${libraryPath}; build it with npm run setup`);
  }
  process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath;
}
