import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Some tests see whether an object is held by its being collected, or not.
  test: {
    name: '@array-interface/core',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    execArgv: ['--expose-gc'],
  },
});
