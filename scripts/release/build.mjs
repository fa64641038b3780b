import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isProgram, job, must, root } from '../run.mjs';
import { binariesOf, chosenTargets, filesOf, targets } from './targets.mjs';
import { provideZig } from './zig.mjs';

// node scripts/release/build.mjs [TARGET…]: builds the release binaries of the targets, or of all,
// into .release/binaries. The packages must be set up (npm run setup). A glibc target needs g++ or
// aarch64-linux-gnu-g++, and takes a minute. A musl target takes some minutes the first time.

const TOOLCHAIN = path.join(root, 'native/cmake/release.cmake');
const SIMULATOR = path.join(root, 'packages/cuda-simulator');

/** The folder of a package's build. It is beside the checkout's own, so that ccache serves both. */
const folderOf = (target) => `build-${target}`;

/** The commands that build a package for a target. */
function commandsFor(folder, target, make) {
  const out = folderOf(target);
  const build = ['cmake', '--build', out, '-j2', '--target', ...make];
  const toolchain = `CMAKE_TOOLCHAIN_FILE=${TOOLCHAIN}`;
  const configure =
    folder === SIMULATOR
      ? ['cmake', '-S', '.', '-B', out, '-DCMAKE_BUILD_TYPE=Release', `-D${toolchain}`]
      : ['node_modules/.bin/cmake-js', 'configure', '--out', out, `--CD${toolchain}`];
  return [configure, build];
}

/** Builds targets of a package's CMakeLists.txt. Throws if a command fails. */
async function buildPackage(name, make, target, env) {
  const folder = path.join(root, 'packages', name);
  for (const [program, ...args] of commandsFor(folder, target, make)) {
    await must(program, args, { cwd: folder, env });
  }
  return path.join(folder, folderOf(target));
}

/** Builds all files of a target and collects them in its folder. */
async function buildTarget(target, zig) {
  const { zigTarget, addons, hasSimulator } = targets[target];
  const env = { ...process.env, ARRAY_INTERFACE_TARGET: zigTarget, ARRAY_INTERFACE_ZIG: zig };
  const folders = [];
  for (const addon of addons) {
    folders.push(path.join(await buildPackage(addon, [addon], target, env), 'Release'));
  }
  if (hasSimulator) {
    const libraries = ['cuda', 'cuda-by-short-name'];
    folders.push(await buildPackage('cuda-simulator', libraries, target, env));
  }
  gather(target, folders);
}

function gather(target, folders) {
  const destination = binariesOf(target);
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination, { recursive: true });
  for (const file of filesOf(target)) {
    const built = folders.map((folder) => path.join(folder, file)).find((one) => existsSync(one));
    if (built === undefined)
      throw new Error(`expected ${file} for ${target} to be built, got none`);
    cpSync(built, path.join(destination, file));
  }
}

/** Throws if GCC for a target's processor is missing. For musl, Zig is the compiler. */
function checkCompiler(target) {
  const { cpu, libc, triple } = targets[target];
  if (libc === 'musl' || cpu === os.arch()) return;
  const compiler = `${triple}-g++`;
  if (spawnSync(compiler, ['--version']).status === 0) return;
  throw new Error(
    `expected ${compiler} for ${target}, got none; install it (Debian, Ubuntu: sudo apt install g++-${triple.replace('_', '-')})`,
  );
}

/** Builds the release binaries of some targets. Throws if one fails. */
export async function buildBinaries(names) {
  for (const target of names) checkCompiler(target);
  const zig = await provideZig();
  for (const target of names) {
    const start = performance.now();
    await buildTarget(target, zig);
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`${target}: ${filesOf(target).join(', ')} in ${seconds} s`);
  }
}

if (isProgram(import.meta)) await job(() => buildBinaries(chosenTargets()), 'Not built: ');
