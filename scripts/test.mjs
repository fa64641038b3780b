import { run } from './run.mjs';
import { setup } from './setup.mjs';
import { explain, provide } from './sycl-runtime.mjs';
import { testCached } from './test-cached.mjs';

// npm test: sets up, provides the SYCL runtime, runs the tests of all projects in which something
// changed since they last passed. npm test -- ARGUMENTS OF VITEST: runs what they name, anew.
const args = process.argv.slice(2);
await setup();
const outcome = await provide();
if (outcome.state === 'ready') {
  process.exitCode = await (args.length > 0
    ? run('vitest', ['run', ...args])
    : testCached(outcome.library));
} else {
  console.error('The tests need a SYCL runtime, and are not run without one.');
  console.error(explain(outcome));
  process.exitCode = 1;
}
