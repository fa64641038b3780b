import { configDefaults, defineConfig } from 'vitest/config';

// On a real driver (ARRAY_INTERFACE_TEST_GPU=1) all tests run but those that rest on the simulator's
// lazy schedule, its two devices or its faults.
const isSimulated = process.env.ARRAY_INTERFACE_TEST_GPU !== '1';

export default defineConfig({
  test: {
    name: '@array-interface/cuda',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    setupFiles: [
      '../../scripts/own-environment.mjs',
      'test/driver-under-test.ts',
      'test/live-resources.ts',
    ],
    exclude: [...configDefaults.exclude, ...(isSimulated ? [] : ['test/*.simulated.test.ts'])],
  },
});
