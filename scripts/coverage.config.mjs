import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = (file) => path.join(root, 'packages', 'core', 'src', file);

// The backend part of core has its tests in the contract, which the host backend fulfils: with its
// sources in the place of what was built of them, they count.
const alias = [
  ['@array-interface/core/backend', 'backend/index.ts'],
  ['@array-interface/core/compatibility', 'compatibility/index.ts'],
  ['@array-interface/core/dlpack', 'dlpack/index.ts'],
  ['@array-interface/core/explain', 'explain.ts'],
  ['@array-interface/core', 'index.ts'],
].map(([find, file]) => ({ find: new RegExp(`^${find}$`), replacement: source(file) }));

export default defineConfig({
  root,
  test: {
    projects: ['core', 'host'].map((name) => {
      const folder = path.join(root, 'packages', name);
      return { extends: path.join(folder, 'vitest.config.ts'), root: folder, resolve: { alias } };
    }),
    coverage: {
      enabled: true,
      provider: 'v8',
      include: ['packages/core/src/**'],
      reporter: ['text', 'lcov'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
