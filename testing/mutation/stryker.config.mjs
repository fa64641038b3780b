import { fileURLToPath } from 'node:url';

// npm run test:mutation, in packages/core: what of its readers and writers can be changed without a
// test that fails. Views, overlap and backends have their own ways of being tried.
const folders = ['descriptor', 'dlpack', 'dtype', 'input', 'protocols', 'serialize'];

const file = (name) => fileURLToPath(new URL(name, import.meta.url));

export default {
  mutate: folders.map((folder) => `src/${folder}/*.ts`),
  testRunner: 'vitest',
  plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner'))],
  vitest: { configFile: file('vitest.config.ts') },
  // Beside packages, where relative paths out of core lead to the same files as from packages/core.
  tempDirName: '../../.mutation',
  // Its preprocessor needs a TypeScript with a JavaScript API, and nothing here needs the preprocessor.
  tsconfigFile: 'none',
  ignorePatterns: ['dist', '.turbo'],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: '../../.mutation/report.json' },
  thresholds: { high: 95, low: 90, break: 90 },
};
