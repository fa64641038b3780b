import path from 'node:path';
import { root, run } from './run.mjs';
import { setup } from './setup.mjs';

// npm run test:consumers [-- ARGUMENTS OF VITEST]: what users make of the packages once they have
// them: bundles, CommonJS, TypeScript.
await setup();
process.exitCode = await run('vitest', ['run', ...process.argv.slice(2)], {
  cwd: path.join(root, 'testing', 'install', 'consumers'),
});
