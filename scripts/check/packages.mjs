import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pack } from '../package/pack.mjs';
import { run } from '../run.mjs';
import { setup } from '../setup/setup.mjs';
import { publicPackages } from '../workspace.mjs';
import { contentFaults } from './contents.mjs';
import { checkSize } from './size.mjs';

// npm run packages: what every public package has for users before a release adds its binaries, as publint
// and attw see it; that it is all there; how large core is for browsers. What is packed is built first, or
// an old dist would be judged. npm run test:install has what a release adds, and installs it.
const CHECKS = [
  ['publint', '--strict'],
  ['attw', '--pack', '.', '--profile', 'esm-only', '--format', 'ascii', '--quiet'],
];

/** Checks a package and what it packs. Gives the faults, a sentence each. */
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
const tarballs = mkdtempSync(path.join(tmpdir(), 'tarballs-'));
const faults = [];
for (const one of publicPackages()) {
  const { name } = one.manifest;
  console.log(`${name}:`);
  faults.push(...(await faultsOf(one, tarballs)).map((text) => `${name}: ${text}`));
}
rmSync(tarballs, { recursive: true });
for (const text of faults) console.error(text);
if (!(await checkSize()) || faults.length > 0) process.exitCode = 1;
