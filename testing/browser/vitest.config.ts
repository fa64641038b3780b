import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { configDefaults, defineConfig } from 'vitest/config';

// They test what needs Node: other realms, util.inspect, owners of files. Or the lines at which errors
// begin: the server of these tests has core's sources at a path that is not that of a package.
const needNode = [
  'integration/realms',
  'integration/every-error',
  'errors/stack',
  'backend/access/peek',
  'descriptor/summary',
  'backend/addon/trusted-path',
  'backend/share/ticket-file',
].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  root: fileURLToPath(new URL('../../packages/core', import.meta.url)),
  define: {
    'process.env.ARRAY_INTERFACE_RUNS': JSON.stringify(process.env.ARRAY_INTERFACE_RUNS ?? ''),
    'process.env.FAST_CHECK_SEED': JSON.stringify(process.env.FAST_CHECK_SEED ?? ''),
  },
  // Found out while the tests run, it would be loaded anew in the middle of them.
  optimizeDeps: { include: ['fast-check'] },
  // A page has SharedArrayBuffer only when it is isolated from other origins.
  server: {
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  },
  test: {
    name: '@array-interface/browser',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    exclude: [...configDefaults.exclude, ...needNode],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        // Chromium's sandbox does not work for root, and not in every container. Tests of what is kept
        // force collections.
        launchOptions: {
          executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
          args: ['--no-sandbox', '--js-flags=--expose-gc'],
        },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
