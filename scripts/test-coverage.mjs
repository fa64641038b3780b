import path from 'node:path';
import { environment, root, run } from './run.mjs';
import { setup } from './setup.mjs';
import { explain, provide } from './sycl-runtime.mjs';

// npm run test:coverage [-- ARGUMENTS OF VITEST]: lines and branches of core that its tests run, those
// of the contract and those of copies between backends; fails under 95%.
await setup();
const outcome = await provide();
if (outcome.state !== 'ready') throw new Error(explain(outcome));
const config = path.join(root, 'scripts', 'coverage.config.mjs');
process.exitCode = await run('vitest', ['run', '--config', config, ...process.argv.slice(2)], {
  env: environment(),
});
