import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'consumers',
    globalSetup: './setup.mjs',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Each is a process that keeps a core busy.
    maxConcurrency: 2,
    include: ['*.test.mjs'],
  },
});
