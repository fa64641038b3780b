import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: '@array-interface/transfers', setupFiles: ['test/driver-under-test.ts'] },
});
