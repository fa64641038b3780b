import { configDefaults, defineConfig } from 'vitest/config';

// Core's tests, but those of the backends' base: they need the garbage collector, and test what is not
// changed here.
export default defineConfig({
  test: {
    name: '@array-interface/core',
    testTimeout: 120_000,
    exclude: [...configDefaults.exclude, 'test/backend/**'],
  },
});
