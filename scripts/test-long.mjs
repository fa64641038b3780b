import { environment, onAllCores, run } from './run.mjs';
import { setup } from './setup.mjs';
import { explain, provide } from './sycl-runtime.mjs';

// npm run test:long [-- ARGUMENTS OF VITEST]: the tests with random cases, and those with rounds,
// ARRAY_INTERFACE_RUNS times as many as in npm test, from the seed FAST_CHECK_SEED; and 100,000
// crossings of each kind between JavaScript and Python. To be run before a release.
const factor = process.env.ARRAY_INTERFACE_RUNS || '100';
const seed = process.env.FAST_CHECK_SEED || String(Date.now() & 0x7fffffff);
const files = [
  'packages/core/test/',
  'packages/cli/test/hostile-names',
  'packages/host/test/contract',
  'packages/cuda/test/contract',
  'packages/sycl/test/contract',
  'packages/host/test/lifetimes',
  'packages/cuda/test/lifetimes',
  'packages/sycl/test/lifetimes',
  'packages/python/test/crossings',
  'testing/order/test/',
  'testing/transfers/test/',
  'native/test/',
];

await setup();
const outcome = await provide();
if (outcome.state === 'ready') {
  console.log(`${factor} times the random cases of npm test, seed ${seed}.`);
  console.log(`Again: ARRAY_INTERFACE_RUNS=${factor} FAST_CHECK_SEED=${seed} npm run test:long`);
  process.exitCode = await run(
    'vitest',
    ['run', '--testTimeout=0', '--hookTimeout=0', onAllCores, ...files, ...process.argv.slice(2)],
    { env: { ...environment(), ARRAY_INTERFACE_RUNS: factor, FAST_CHECK_SEED: seed } },
  );
} else {
  console.error(explain(outcome));
  process.exitCode = 1;
}
