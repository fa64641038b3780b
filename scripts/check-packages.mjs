import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contentFaults } from './check-contents.mjs';
import { installedFaults } from './check-installed.mjs';
import { checkSize } from './check-size.mjs';
import { pack } from './pack.mjs';
import { publicPackages } from './public-packages.mjs';
import { run } from './run.mjs';
import { setup } from './setup.mjs';

// npm run packages: what every public package would publish, as publint and attw see it; that it is all
// there, and works where nothing else is installed; how large core is for browsers. What is packed is built
// first, or an old dist would be judged.
const CHECKS = [
  ['publint', '--strict'],
  ['attw', '--pack', '.', '--profile', 'esm-only', '--format', 'ascii', '--quiet'],
];

/** Checks a package and its tarball. Gives the faults, a sentence each. */
async function faultsOf({ folder, manifest, files }) {
  const faults = await contentFaults({ folder, manifest }, files);
  for (const [command, ...args] of CHECKS) {
    const status = await run(command, args, { cwd: folder });
    if (status !== 0) faults.push(`${command} ended with status ${status}`);
  }
  return faults;
}

await setup();
const tarballs = mkdtempSync(path.join(tmpdir(), 'tarballs-'));
const packages = publicPackages().map((one) => ({ ...one, ...pack(one.folder, tarballs) }));
const faults = [];
for (const one of packages) {
  console.log(`${one.manifest.name}:`);
  faults.push(...(await faultsOf(one)).map((text) => `${one.manifest.name}: ${text}`));
}
faults.push(...(await installedFaults(packages)));
rmSync(tarballs, { recursive: true });
for (const text of faults) console.error(text);
if (!(await checkSize()) || faults.length > 0) process.exitCode = 1;
