import path from 'node:path';
import { otherPeers, peers } from './peers.mjs';
import { isReady } from './python-environment.mjs';
import { environment, onAllCores, root, run } from './run.mjs';
import { setup } from './setup.mjs';

// npm run test:peers [-- ARGUMENTS OF VITEST]: how real clients read our interfaces.
const missing = peers.filter((peer) => !isReady(peer));
if (missing.length === 0) {
  await setup();
  for (const { what } of otherPeers.filter((peer) => !isReady(peer))) {
    console.log(`not run: what needs ${what}, as this is not Debian 12`);
  }
  process.exitCode = await run('vitest', ['run', onAllCores, ...process.argv.slice(2)], {
    cwd: path.join(root, 'testing', 'peers'),
    env: environment(),
  });
} else {
  for (const { name, what, size } of missing) {
    console.error(`Not run: .peers/${name} is missing or older than its pins (${what}; ${size}).`);
  }
  console.error('Make it with npm run setup:peers.');
  process.exitCode = 1;
}
