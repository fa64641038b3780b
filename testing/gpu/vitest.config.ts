import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: '@array-interface/gpu', testTimeout: 300_000, hookTimeout: 300_000 },
});
