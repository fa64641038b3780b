import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: '@array-interface/example-backend',
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
