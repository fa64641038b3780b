import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inNewFolder } from '../new-folder.mjs';
import { environment, isProgram, job, root } from '../run.mjs';
import { installLocked } from '../setup/locked.mjs';
import { readTarballs, staged } from './tarballs.mjs';

// node scripts/release/sbom.mjs [FOLDER]: lists the contents of the release whose tarballs are in
// the folder (.release/packages), in CycloneDX format, as sbom.cdx.json beside them: the packages,
// their dependencies, and what is compiled into them. The pinned npm resolves and writes it, and
// installs nothing.

/** File name of the list. */
const SBOM = 'sbom.cdx.json';

/** Writes the list and returns it. Throws if it lacks a package of the release. */
async function writeSbom(folder) {
  const tarballs = readTarballs(folder);
  const made = await inNewFolder((work) => sbomOf(tarballs, work));
  const faults = sbomFaults(made, tarballs);
  if (faults.length > 0) throw new Error(faults.join('; '));
  writeFileSync(path.join(folder, SBOM), `${JSON.stringify(made, null, 2)}\n`);
  return made;
}

/** Lists what is wrong with the list for these tarballs, one sentence each. */
export function sbomFaults({ components = [] }, tarballs) {
  if (tarballs.length === 0)
    return ['expected tarballs, got none; node scripts/release/stage.mjs makes them'];
  const named = new Map(components.map((one) => [`${one.name}@${one.version}`, one]));
  const wanted = tarballs.map(({ manifest }) => `${manifest.name}@${manifest.version}`);
  return [
    ...wanted.filter((one) => !named.has(one)).map((one) => `expected ${one} in it, got none`),
    ...wanted
      .filter((one) => named.has(one) && !named.get(one).hashes?.length)
      .map((one) => `expected a hash of ${one}, got none`),
  ];
}

/** Resolves a project in a folder that depends on every tarball, without installing it. */
async function sbomOf(tarballs, work) {
  const dependencies = {};
  for (const { tarball, manifest } of tarballs) {
    const file = path.basename(tarball);
    copyFileSync(tarball, path.join(work, file));
    dependencies[manifest.name] = `file:${file}`;
  }
  const version = tarballs[0]?.manifest.version ?? '0.0.0';
  const project = { name: 'array-interface-release', version, license: 'MIT', dependencies };
  writeFileSync(path.join(work, 'package.json'), JSON.stringify(project));
  // Packages for other systems are listed, too.
  await npm(work, 'install', '--force', '--ignore-scripts', '--no-audit', '--no-fund');
  const text = await npm(work, 'sbom', '--sbom-format=cyclonedx', '--sbom-type=library');
  // The temporary location of the tarballs is irrelevant.
  const made = JSON.parse(text.replaceAll(`file:${work}/`, 'file:'));
  return { ...made, components: [...made.components, ...compiledIn()] };
}

/** Third-party headers that are compiled into the binaries. */
function compiledIn() {
  const require = createRequire(path.join(root, 'packages', 'host', 'package.json'));
  const { name, version, description, license } = require('node-addon-api/package.json');
  const purl = `pkg:npm/${name}@${version}`;
  return [
    {
      'bom-ref': purl,
      type: 'library',
      name,
      version,
      description,
      purl,
      licenses: [{ license: { id: license } }],
    },
  ];
}

/** Runs the pinned npm in a folder, and returns its output. */
async function npm(cwd, ...args) {
  const pinned = path.join(import.meta.dirname, 'npm');
  const status = await installLocked(pinned, 'the npm that writes the list');
  if (status !== 0) throw new Error(`npm ci ended with status ${status}`);
  const program = path.join(pinned, 'node_modules', 'npm', 'bin', 'npm-cli.js');
  // The contract's peer dependency vitest is installed by the user.
  const always = ['--package-lock-only', '--legacy-peer-deps', '--loglevel=error'];
  const options = { cwd, env: environment(), encoding: 'utf8', maxBuffer: 2 ** 26 };
  return execFileSync(process.execPath, [program, ...args, ...always], options);
}

async function main() {
  const { components } = await writeSbom(path.resolve(process.argv[2] ?? staged));
  console.table(components.map(({ name, version, purl }) => ({ name, version, purl })));
}

if (isProgram(import.meta)) await job(main, 'No list of what is in the release: ');
