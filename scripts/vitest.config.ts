import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'scripts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    include: ['test/**/*.test.mjs'],
  },
});
