import path from 'node:path';
import { environment, onAllCores, root, run } from './run.mjs';
import { setup } from './setup.mjs';
import { explain, provide } from './sycl-runtime.mjs';

// npm run test:coverage [-- ARGUMENTS OF VITEST]: the lines and branches of core that its tests,
// those of the contract and those of copies between backends run. Fails under 95%.
await setup();
const outcome = await provide();
if (outcome.state !== 'ready') throw new Error(explain(outcome));
const config = path.join(root, 'scripts', 'coverage.config.mjs');
const args = ['run', '--config', config, onAllCores, ...process.argv.slice(2)];
process.exitCode = await run('vitest', args, { env: environment() });
