import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'install',
    include: ['test/**/*.test.mjs'],
    globalSetup: './setup.mjs',
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
