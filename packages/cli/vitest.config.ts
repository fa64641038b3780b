import { defineConfig } from 'vitest/config';

// most tests start the real command, some several times
export default defineConfig({
  test: {
    name: 'array-interface',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['test/own-environment.ts'],
  },
});
