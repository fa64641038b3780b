import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = (file) => path.join(root, 'packages', 'core', 'src', file);

// The contract of backends and the copies between them test the backend part of core. Here they run
// its sources in place of its build, so that they count. Processes that other tests start do not
// count.
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
