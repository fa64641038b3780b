import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { contentFaults, fileFaults } from '../check/contents.mjs';
import { inNewFolder } from '../new-folder.mjs';
import { pack } from '../package/pack.mjs';
import { isProgram, job, root } from '../run.mjs';
import { publicPackages } from '../workspace.mjs';
import { librariesOf, platformPackage, publishedManifest } from './manifests.mjs';
import { staged } from './tarballs.mjs';
import { binariesOf, chosenTargets, filesOf, targets } from './targets.mjs';

// node scripts/release/stage.mjs [TARGET…]: creates what is published, one tarball per package, in
// .release/packages. Uses dist as built, and the binaries of those targets (or all that were built)
// from .release/binaries.

/** Maximum installed size of each package in kilobytes: about 15 % more than the current size. */
const MOST = {
  'array-interface': 640,
  '@array-interface/abi': 70,
  '@array-interface/contract': 1190,
  '@array-interface/core': 2560,
  '@array-interface/expressions': 1250,
  '@array-interface/host': 310,
  '@array-interface/cuda': 345,
  '@array-interface/sycl': 325,
  '@array-interface/python': 310,
  '@array-interface/cuda-simulator': 4600,
  '@array-interface/native-linux-x64-gnu': 7500,
  '@array-interface/native-linux-arm64-gnu': 4000,
  '@array-interface/native-linux-x64-musl': 2800,
  '@array-interface/native-linux-arm64-musl': 2320,
};

/**
 * Packs the tarballs into a folder. A package of a target in `placeholders` contains everything but its
 * binaries, for tests of how packages are installed. Returns the name, version and size of each.
 */
export async function stage({ destination, chosen, placeholders = [] }) {
  checkBinaries(chosen);
  return inNewFolder(async (work) => {
    const core = publicPackages().find(({ manifest }) => manifest.name.endsWith('/core'));
    const platforms = [...chosen, ...placeholders].map((target) =>
      stagePlatform({ work, target, core: core.manifest, hasBinaries: chosen.includes(target) }),
    );
    const written = [];
    for (const one of publicPackages()) written.push(await stageWritten({ work, one, chosen }));
    rmSync(destination, { recursive: true, force: true });
    mkdirSync(destination, { recursive: true });
    return [...platforms, ...written].map((one) => packed(one, destination));
  });
}

/** The folder of a platform's package, which contains the binaries and their description. */
function stagePlatform({ work, target, core, hasBinaries }) {
  const { manifest, readme, addons } = platformPackage(target, core);
  const folder = path.join(work, target);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'README.md'), readme);
  copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  const binaries = hasBinaries ? addons : [];
  for (const file of binaries)
    copyFileSync(path.join(binariesOf(target), file), path.join(folder, file));
  return { folder, manifest, expected: ['package.json', 'README.md', 'LICENSE', ...binaries] };
}

/** The folder of a package that is written here: as pnpm packs it, plus what the release adds. */
async function stageWritten({ work, one, chosen }) {
  const { tarball, files } = pack(one.folder, work);
  throwFaults(one.manifest.name, await contentFaults(one, files));
  const parent = path.join(work, path.basename(one.folder));
  mkdirSync(parent);
  execFileSync('tar', ['-xzf', tarball, '-C', parent]);
  const folder = path.join(parent, 'package');
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const libraries = manifest.name.endsWith('/cuda-simulator') ? addLibraries(folder, chosen) : [];
  return { folder, manifest: publishedManifest(manifest), expected: [...files, ...libraries] };
}

/** Adds the simulator's libraries to its package. Returns their names there. */
function addLibraries(folder, chosen) {
  return chosen
    .filter((target) => targets[target].hasSimulator)
    .flatMap((target) => {
      const place = path.join('prebuilds', `linux-${targets[target].cpu}`);
      mkdirSync(path.join(folder, place), { recursive: true });
      return librariesOf(target).map((file) => {
        copyFileSync(path.join(binariesOf(target), file), path.join(folder, place, file));
        return path.join(place, file);
      });
    });
}

/** Packs a folder. Throws if the tarball has unexpected files, or is too large. */
function packed({ folder, manifest, expected }, destination) {
  const { name, version } = manifest;
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const { files } = pack(folder, destination);
  throwFaults(name, fileFaults(files, expected));
  const sizes = files.map((file) => statSync(path.join(folder, file)).size);
  const kilobytes = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1000);
  if (kilobytes > MOST[name]) {
    throw new Error(`${name}: expected at most ${MOST[name]} kB when installed, got ${kilobytes}`);
  }
  return { name, version, kilobytes, most: MOST[name] };
}

function throwFaults(name, faults) {
  if (faults.length > 0) throw new Error(`${name} cannot be published: ${faults.join('; ')}`);
}

/** The targets for which something was built. */
export function builtTargets() {
  return Object.keys(targets).filter((target) => existsSync(binariesOf(target)));
}

/** Throws if a binary of a target is missing. */
function checkBinaries(chosen) {
  if (chosen.length === 0) {
    throw new Error(`expected binaries in ${binariesOf('')}, got none; ${BUILD}`);
  }
  const files = chosen.flatMap((target) =>
    filesOf(target).map((file) => path.join(binariesOf(target), file)),
  );
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0)
    throw new Error(`expected ${missing.join(', ')}, got no such file; ${BUILD}`);
}

const BUILD = 'node scripts/release/build.mjs TARGET builds them';

if (isProgram(import.meta)) {
  const chosen = process.argv.length > 2 ? chosenTargets() : builtTargets();
  const stageAll = async () => console.table(await stage({ destination: staged, chosen }));
  await job(stageAll, 'Nothing is staged: ');
}
