import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: '@array-interface/abi', setupFiles: ['../../scripts/own-environment.mjs'] },
});
