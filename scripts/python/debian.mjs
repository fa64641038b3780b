import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { outputOf } from '../run.mjs';
import { pinLines, runtime } from './environment.mjs';

/** Debian's own Python, which its packages are built for. */
const PYTHON = '/usr/bin/python3';

/** Runs a program and returns its output. Throws an error whose `remedy` says what to do. */
async function output(program, args) {
  try {
    return (await outputOf(program, args)).trim();
  } catch (error) {
    error.remedy = 'run it where this is Debian 12, if need be after sudo apt-get update';
    throw error;
  }
}

/**
 * Downloads the pinned packages into a folder, with those of their dependencies that the machine
 * lacks.
 */
async function fetchPackages(pins, folder) {
  mkdirSync(path.join(folder, 'archives', 'partial'), { recursive: true });
  // Nothing is installed, so neither a lock nor root is needed.
  const options = [`Dir::Cache=${folder}`, 'Debug::NoLocking=1', 'APT::Sandbox::User=root'];
  const flags = ['-qq', '--download-only', '--no-install-recommends'];
  const set = options.flatMap((option) => ['--option', option]);
  await output('apt-get', ['install', ...flags, ...set, ...pinLines(pins)]);
}

/**
 * Creates a command: Debian's Python with the libraries and modules of the packages in its folder.
 */
async function pythonOf() {
  const question = 'import sysconfig; print(sysconfig.get_config_var("MULTIARCH"))';
  const triplet = await output(PYTHON, ['-c', question]);
  const library = `usr/lib/${triplet}`;
  const folders = [library, `${library}/blas`, `${library}/lapack`, `lib/${triplet}`, 'usr/lib'];
  return `#!/bin/sh
here=$(dirname "$(dirname "$(realpath "$0")")")
export LD_LIBRARY_PATH="${folders.map((folder) => `$here/${folder}`).join(':')}"
export PYTHONPATH="$here/usr/lib/python3/dist-packages"
exec ${PYTHON} "$@"
`;
}

/**
 * Unpacks the Debian packages that a file pins, with those of their dependencies that the machine
 * lacks. The target's bin/python is Debian's, with them on its path. Throws an error whose `remedy`
 * says what to do.
 */
export async function unpackPackages({ pins, target, partial, bytesNeeded, log }) {
  const { checkSpace } = await runtime();
  await checkSpace(partial, bytesNeeded);
  const fetched = path.join(partial, 'apt');
  const made = path.join(partial, path.basename(target));
  log('fetching');
  await fetchPackages(pins, fetched);
  log('unpacking');
  rmSync(made, { recursive: true, force: true });
  mkdirSync(path.join(made, 'bin'), { recursive: true });
  const archives = path.join(fetched, 'archives');
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb')))
    await output('dpkg-deb', ['--extract', path.join(archives, name), made]);
  writeFileSync(path.join(made, 'bin', 'python'), await pythonOf(), { mode: 0o755 });
  rmSync(target, { recursive: true, force: true });
  renameSync(made, target);
  rmSync(fetched, { recursive: true });
}
