import { defineConfig } from 'vitest/config';
import { testProjects } from './scripts/workspace.mjs';

export default defineConfig({
  test: {
    projects: testProjects(),
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text', 'lcov'] },
  },
});
