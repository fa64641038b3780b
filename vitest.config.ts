import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      'packages/*',
      'testing/*',
      '!testing/{browser,gate,lifetimes,peers,random}',
      'native',
      'examples/first',
      'examples/planes',
      'examples/photograph',
      'scripts',
    ],
    coverage: { provider: 'v8', include: ['packages/*/src/**'], reporter: ['text', 'lcov'] },
  },
});
