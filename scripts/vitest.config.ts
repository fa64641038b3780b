import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'scripts',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    include: ['test/**/*.test.mjs'],
  },
});
