import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: '@array-interface/host',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['test/live-resources.ts'],
  },
});
