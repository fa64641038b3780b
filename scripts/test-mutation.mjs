import path from 'node:path';
import { environment, root, run } from './run.mjs';
import { setup } from './setup.mjs';

// npm run test:mutation [-- ARGUMENTS OF STRYKER]: changes core's readers and writers in some thousand
// ways, and says which changes no test noticed. Takes 25 minutes; docs/mutation.md has the score.
await setup();
const folder = path.join(root, 'testing', 'mutation');
const stryker = path.join(folder, 'node_modules', '.bin', 'stryker');
const config = path.join(folder, 'stryker.config.mjs');
process.exitCode = await run(stryker, ['run', config, ...process.argv.slice(2)], {
  cwd: path.join(root, 'packages', 'core'),
  // Another seed might try another case, and notice another change.
  env: { ...environment(), FAST_CHECK_SEED: '1' },
});
