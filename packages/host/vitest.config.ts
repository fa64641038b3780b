import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: '@array-interface/host', setupFiles: ['test/live-resources.ts'] },
});
