import { defineConfig } from 'vitest/config';

// Several tests start programs of their own, each of which loads the runtime.
export default defineConfig({
  test: {
    name: '@array-interface/sycl',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    setupFiles: ['../../scripts/own-environment.mjs', 'test/live-resources.ts'],
  },
});
