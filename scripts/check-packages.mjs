import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contentFaults } from './check-contents.mjs';
import { installedFaults } from './check-installed.mjs';
import { checkSize } from './check-size.mjs';
import { pack } from './pack.mjs';
import { publicPackages } from './public-packages.mjs';
import { run } from './run.mjs';

// npm run packages: checks what every public package would publish, as publint and attw see it,
// that all of it is there and works where nothing else is installed, and how large core is for
// browsers.
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
