import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = (file) => path.join(root, 'packages', 'core', 'src', file);

// The backend part of core has its tests in the contract that backends fulfil, and in those of copies
// between them: with its sources in the place of what was built of them, they count. What the processes run
// that other tests start does not.
const PROJECTS = {
  'packages/core': {},
  'packages/host': { include: ['test/{borrow,contract,host-backend,transfer}.test.ts'] },
  'packages/cuda': { include: ['test/contract.test.ts'] },
  'testing/transfers': { include: ['test/{host-cuda,one-pass,pipeline,several-steps}.test.ts'] },
};
const alias = [
  ['@array-interface/core/backend', 'backend/index.ts'],
  ['@array-interface/core/compatibility', 'compatibility/index.ts'],
  ['@array-interface/core/dlpack', 'dlpack/index.ts'],
  ['@array-interface/core/overlap', 'overlap/index.ts'],
  ['@array-interface/core/serialize', 'serialize/index.ts'],
  ['@array-interface/core', 'index.ts'],
].map(([find, file]) => ({ find: new RegExp(`^${find}$`), replacement: source(file) }));

export default defineConfig({
  root,
  test: {
    projects: Object.entries(PROJECTS).map(([name, test]) => {
      const folder = path.join(root, name);
      const config = path.join(folder, 'vitest.config.ts');
      return { extends: config, root: folder, resolve: { alias }, test };
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
