import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Some tests see whether an object is held by its being collected, or not.
  test: {
    name: '@array-interface/core',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    execArgv: ['--expose-gc'],
  },
});
