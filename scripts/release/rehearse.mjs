import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { job, must, root } from '../run.mjs';
import { installClients } from '../setup/clients.mjs';
import { setup } from '../setup/setup.mjs';
import { publicPackages } from '../workspace.mjs';
import { buildBinaries } from './build.mjs';
import { binaryFaults } from './check.mjs';
import { binariesOf, chosenTargets } from './targets.mjs';

// npm run release:rehearse [-- TARGET… ARGUMENTS OF VITEST]: performs a release without publishing,
// for those targets or both with glibc. Works in a clone, so that no version in the checkout
// changes, and leaves behind only the binaries in .release. Rehearses the committed sources, with
// binaries of the checkout's current state.

const isOption = (argument) => argument.startsWith('--');
const options = process.argv.slice(2).filter(isOption);
const named = process.argv.slice(2).filter((argument) => !isOption(argument));
const chosen = chosenTargets(named.length > 0 ? named : ['linux-x64-gnu', 'linux-arm64-gnu']);

const place = mkdtempSync(path.join(tmpdir(), 'rehearsal-'));
const clone = path.join(place, 'array-interface');

const STEPS = {
  async binaries() {
    await buildBinaries(chosen);
    const faults = chosen.flatMap(binaryFaults);
    if (faults.length > 0) throw new Error(faults.join('; '));
  },
  async clone() {
    await must('git', ['clone', '--quiet', root, clone]);
    await installWorkspace();
    for (const target of chosen) {
      const folder = path.relative(root, binariesOf(target));
      cpSync(path.join(root, folder), path.join(clone, folder), { recursive: true });
    }
  },
  async versions() {
    await inClone('changeset', ['version']);
    checkVersions();
    // pnpm refuses to run in a workspace whose versions it has not installed.
    await installWorkspace();
  },
  async install() {
    await installClients();
    const tools = path.join('testing', 'install', 'node_modules');
    symlinkSync(path.join(root, tools), path.join(clone, tools));
    await inClone('node', ['scripts/suites/run.mjs', 'install', ...options]);
  },
  async sbom() {
    await inClone('node', ['scripts/release/stage.mjs', ...chosen]);
    await inClone('node', ['scripts/release/sbom.mjs']);
  },
  async python() {
    await inClone('node', ['scripts/release/python.mjs']);
  },
};

function installWorkspace() {
  return inClone('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--silent']);
}

/** Runs a command in the clone. Throws if it fails. */
const inClone = (command, args) => must(command, args, { cwd: clone });

/** Throws unless all packages have one version, below 1.0.0, and the first is 0.1.0. */
function checkVersions() {
  const versionOf = (folder, name) =>
    JSON.parse(readFileSync(path.join(folder, 'packages', name, 'package.json'), 'utf8')).version;
  const names = publicPackages().map(({ folder }) => path.basename(folder));
  const versions = new Set(names.map((name) => versionOf(clone, name)));
  const [version] = versions;
  const isFirst = versionOf(root, 'core') === '0.0.0';
  const isRight = isFirst ? version === '0.1.0' : version.startsWith('0.');
  if (versions.size > 1 || !isRight) {
    const wanted = isFirst ? '0.1.0' : 'one version below 1.0.0';
    throw new Error(`expected ${wanted} for all packages, got ${[...versions].join(', ')}`);
  }
  console.log(`All packages become ${version}.`);
}

/** Takes all steps. Stops at the first that fails. */
async function rehearse() {
  for (const [step, does] of Object.entries(STEPS)) {
    console.log(`--- ${step}`);
    const start = performance.now();
    await does();
    rows.push({ step, seconds: Math.round((performance.now() - start) / 1000) });
  }
}

await setup();
const rows = [];
await job(rehearse, 'The rehearsal failed: ');
rmSync(place, { recursive: true, force: true });
console.table(rows);
