import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inNewFolder } from '../new-folder.mjs';
import { runtime } from '../python/environment.mjs';
import { root } from '../run.mjs';

// node scripts/sycl/hashes.mjs [--check]: queries pip's index for the hashes of the wheels that
// `array-interface setup sycl` installs, for linux on x64 with glibc and each Python. Writes
// packages/cli/src/sycl-runtime/wheel-hashes.ts; with --check, reports whether it is unchanged.
// Needs `npm run setup`, and pip 23 or newer.
const FILE = path.join(root, 'packages/cli/src/sycl-runtime/wheel-hashes.ts');
/** glibc 2.28, and the older platform tags that wheels may have. */
const PLATFORMS = ['_2_28', '_2_27', '_2_17', '2014', '1'].map((one) => `manylinux${one}_x86_64`);

/**
 * `name==version` and the hash of its wheel, for each pin, as pip would install it for Python
 * 3.minor.
 */
function hashesFor(minor, pins, work) {
  const report = path.join(work, 'report.json');
  const abis = [`cp3${minor}`, 'abi3', 'none'].flatMap((abi) => ['--abi', abi]);
  const platforms = PLATFORMS.flatMap((one) => ['--platform', one]);
  const how = ['--dry-run', '--quiet', '--no-deps', '--ignore-installed', '--only-binary=:all:'];
  const forWhom = ['--implementation', 'cp', '--python-version', `3.${minor}`, '--target', work];
  const args = ['-I', '-m', 'pip', 'install', ...how, ...forWhom, ...abis, ...platforms];
  // Wheels on this machine may be other builds.
  const { PIP_FIND_LINKS: _, ...env } = process.env;
  const { status, stderr } = spawnSync('python3', [...args, '--report', report, ...pins], {
    cwd: work,
    encoding: 'utf8',
    env: { ...env, PIP_CONFIG_FILE: '/dev/null' },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(readFileSync(report, 'utf8')).install.map(({ metadata, download_info }) => [
    `${metadata.name}==${metadata.version}`,
    download_info.archive_info.hashes.sha256,
  ]);
}

/** The module's text. */
async function made() {
  const { pythonMinors, requirements } = await runtime();
  const all = new Map();
  for (let { first: minor, last } = pythonMinors; minor <= last; minor++) {
    const pins = requirements(minor).map(({ name, version }) => `${name}==${version}`);
    for (const [pin, hash] of await inNewFolder((work) => hashesFor(minor, pins, work))) {
      all.set(pin, new Set([...(all.get(pin) ?? []), hash]));
    }
  }
  const lines = [...all].map(([pin, hashes]) => {
    const listed = [...hashes].sort().map((hash) => `    '${hash}',\n`);
    return `  '${pin}': [\n${listed.join('')}  ],\n`;
  });
  return `// Made by scripts/sycl/hashes.mjs; do not edit.

/** SHA-256 of the wheels of each pinned package, for linux on x64 with glibc. */
export const wheelHashes: Readonly<Record<string, readonly string[]>> = {
${lines.join('')}};
`;
}

const text = await made();
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(
    `${FILE}: the index has other wheels now; run this without --check, and look at them`,
  );
  process.exitCode = 1;
}
