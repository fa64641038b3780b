import path from 'node:path';
import { demandKnown } from '../arguments.mjs';
import { root } from '../run.mjs';

/** The targets of a release. Each is named like the folder of its binaries. */
const GNU = { libc: 'glibc', addons: ['host', 'cuda', 'python'], hasSimulator: true };
const MUSL = { libc: 'musl', addons: ['host', 'cuda'], hasSimulator: false };

/**
 * Each target: `cpu` and `libc` as in package.json, the compiler's name for it, the machine that
 * readelf reports, the addons, and whether the simulator has a library for it. dpctl's runtime
 * exists only for the first; Python is not tested with musl. Red Hat Enterprise Linux 8 and Debian
 * 10 have glibc 2.28.
 */
export const targets = {
  'linux-x64-gnu': {
    ...GNU,
    cpu: 'x64',
    addons: ['host', 'cuda', 'sycl', 'python'],
    triple: 'x86_64-linux-gnu',
    zigTarget: 'x86_64-linux-gnu.2.28',
    machine: 'Advanced Micro Devices X86-64',
  },
  'linux-arm64-gnu': {
    ...GNU,
    cpu: 'arm64',
    triple: 'aarch64-linux-gnu',
    zigTarget: 'aarch64-linux-gnu.2.28',
    machine: 'AArch64',
  },
  'linux-x64-musl': {
    ...MUSL,
    cpu: 'x64',
    triple: 'x86_64-linux-musl',
    zigTarget: 'x86_64-linux-musl',
    machine: 'Advanced Micro Devices X86-64',
  },
  'linux-arm64-musl': {
    ...MUSL,
    cpu: 'arm64',
    triple: 'aarch64-linux-musl',
    zigTarget: 'aarch64-linux-musl',
    machine: 'AArch64',
  },
};

/** The folder of the files built for a target: addons and, for glibc, the simulator's libraries. */
export function binariesOf(target) {
  return path.join(root, '.release', 'binaries', target);
}

/** The names of the files in that folder. */
export function filesOf(target) {
  const { addons, hasSimulator } = targets[target];
  const libraries = hasSimulator ? ['libcuda.so', 'libcuda.so.1'] : [];
  return [...addons.map((name) => `${name}.node`), ...libraries];
}

/** The targets that a command line names, or all. Ends the process if it names an unknown one. */
export function chosenTargets(names = process.argv.slice(2)) {
  const known = Object.keys(targets);
  demandKnown(names, known, 'targets');
  return names.length > 0 ? names : known;
}
