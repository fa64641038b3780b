import { configDefaults, defineConfig } from 'vitest/config';

// Core's tests, but those of what is not changed here: the backends' base, views and overlap.
const others = ['backend/**', 'numpy-*', 'shares-memory*', 'overlaps-itself*', 'bounded-sum*'];

export default defineConfig({
  test: {
    name: '@array-interface/core',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    exclude: [...configDefaults.exclude, ...others.map((name) => `test/${name}`)],
  },
});
