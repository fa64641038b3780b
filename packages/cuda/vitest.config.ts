import { configDefaults } from 'vitest/config';
// @boundaries-ignore: one configuration for the tests of all packages
import { projectConfig } from '../../scripts/vitest/config.mjs';

// On a real driver (ARRAY_INTERFACE_TEST_GPU=1) all tests run but those that rest on the simulator's
// lazy schedule, its two devices or its faults.
const isSimulated = process.env.ARRAY_INTERFACE_TEST_GPU !== '1';

export default projectConfig('@array-interface/cuda', {
  setupFiles: ['test/support/driver-under-test.ts', 'test/support/live-resources.ts'],
  exclude: [...configDefaults.exclude, ...(isSimulated ? [] : ['test/**/*.simulated.test.ts'])],
});
