import { run } from './run.mjs';
import { setup } from './setup.mjs';
import { explain, provide } from './sycl-runtime.mjs';

// npm test [-- ARGUMENTS OF VITEST]: sets up, provides the SYCL runtime, runs all tests.
await setup();
const outcome = await provide();
if (outcome.state === 'ready') {
  process.exitCode = await run('vitest', ['run', ...process.argv.slice(2)]);
} else {
  console.error('The tests need a SYCL runtime, and are not run without one.');
  console.error(explain(outcome));
  process.exitCode = 1;
}
