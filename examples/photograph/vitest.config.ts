import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Each test runs the whole job as a child, on machines that may be busy.
  test: {
    name: '@array-interface/example-photograph',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    setupFiles: ['../../scripts/vitest/environment.mjs'],
  },
});
