import path from 'node:path';
import { root, run } from './run.mjs';
import { setup } from './setup.mjs';

// npm run test:coverage [-- ARGUMENTS OF VITEST]: lines and branches of core that its tests run, and
// those of the contract with the host backend; fails under 95%.
await setup();
const config = path.join(root, 'scripts', 'coverage.config.mjs');
process.exitCode = await run('vitest', ['run', '--config', config, ...process.argv.slice(2)]);
