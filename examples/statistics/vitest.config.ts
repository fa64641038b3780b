import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: '@array-interface/example-statistics',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    setupFiles: ['../../scripts/vitest/environment.mjs', 'test/driver-under-test.ts'],
  },
});
