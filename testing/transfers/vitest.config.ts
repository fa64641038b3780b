import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: '@array-interface/transfers',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['test/driver-under-test.ts', 'test/live-resources.ts'],
  },
});
