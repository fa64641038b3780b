import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: '@array-interface/cuda', setupFiles: ['test/driver-under-test.ts'] },
});
