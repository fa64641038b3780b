import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = (file) => path.join(root, 'packages', file);

/** Tests of CUDA that mostly run in their own processes, where nothing is counted. */
const PROCESSES = [
  'background.simulated',
  'every-fault.simulated',
  'faults.simulated',
  'held-device.simulated',
  'lifetimes',
  'live-counts',
  'no-peers.simulated',
  'order.simulated',
  'share',
  'worker',
];

// The contract of backends and the copies between them test the backend part of core. Here they run
// its sources instead of its build, so that they count. Processes that other tests start do not
// count.
const PROJECTS = {
  'packages/core': {},
  'packages/host': {},
  'packages/cuda': { exclude: [...configDefaults.exclude, `test/{${PROCESSES.join()}}.test.ts`] },
  'testing/transfers': {
    include: ['test/{far,host-cuda,on-the-host,one-pass,pipeline,several-steps}.test.ts'],
  },
};
const alias = [
  ['@array-interface/core/backend', 'core/src/backend/index.ts'],
  ['@array-interface/core/compatibility', 'core/src/compatibility/index.ts'],
  ['@array-interface/core/dlpack', 'core/src/dlpack/index.ts'],
  ['@array-interface/core/explain', 'core/src/explain.ts'],
  ['@array-interface/core/kernel', 'core/src/kernel/index.ts'],
  ['@array-interface/core/numbers', 'core/src/numbers/index.ts'],
  ['@array-interface/core/overlap', 'core/src/overlap/index.ts'],
  ['@array-interface/core/serialize', 'core/src/serialize/index.ts'],
  ['@array-interface/core', 'core/src/index.ts'],
  ['@array-interface/host', 'host/src/index.ts'],
  ['@array-interface/cuda', 'cuda/src/index.ts'],
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
      include: ['packages/{core,host,cuda}/src/**/*.ts'],
      reporter: ['text', 'lcov'],
      // Code that runs only in other processes (missing drivers, process ends, tickets) is not
      // counted.
      thresholds: {
        'packages/core/src/**': { lines: 95, branches: 95 },
        'packages/host/src/**': { lines: 92, branches: 92 },
        'packages/cuda/src/**': { lines: 89, branches: 83 },
      },
    },
  },
});
