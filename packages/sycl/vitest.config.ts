import { defineConfig } from 'vitest/config';

// Several tests start programs of their own, each of which loads the runtime.
export default defineConfig({
  test: {
    name: '@array-interface/sycl',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['test/live-resources.ts'],
  },
});
