import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: '@array-interface/docs', testTimeout: 300_000, hookTimeout: 120_000 },
});
