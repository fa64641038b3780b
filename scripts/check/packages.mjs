import { inNewFolder } from '../new-folder.mjs';
import { pack } from '../package/pack.mjs';
import { run } from '../run.mjs';
import { setup } from '../setup/setup.mjs';
import { publicPackages } from '../workspace.mjs';
import { contentFaults } from './contents.mjs';
import { checkSize } from './size.mjs';

// npm run packages: checks every public package before a release adds its binaries: with publint
// and attw, for completeness, and the size of core in browsers. Builds first, so that it never
// checks an old dist. npm run test:install checks and installs what a release adds.
const CHECKS = [
  ['publint', '--strict'],
  ['attw', '--pack', '.', '--profile', 'esm-only', '--format', 'ascii', '--quiet'],
];

/** Checks a package and its tarball. Returns the faults, one sentence each. */
async function faultsOf({ folder, manifest }, destination) {
  const { files } = pack(folder, destination);
  const faults = await contentFaults({ folder, manifest }, files);
  for (const [command, ...args] of CHECKS) {
    const status = await run(command, args, { cwd: folder });
    if (status !== 0) faults.push(`${command} ended with status ${status}`);
  }
  return faults;
}

await setup();
const faults = [];
for (const one of publicPackages()) {
  const { name } = one.manifest;
  console.log(`${name}:`);
  const found = await inNewFolder((tarballs) => faultsOf(one, tarballs));
  faults.push(...found.map((text) => `${name}: ${text}`));
}
for (const text of faults) console.error(text);
if (!(await checkSize()) || faults.length > 0) process.exitCode = 1;
