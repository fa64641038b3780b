import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: '@array-interface/example-foreign-addon',
    testTimeout: 120_000,
    setupFiles: ['../../scripts/vitest/environment.mjs', 'test/simulator.ts'],
  },
});
