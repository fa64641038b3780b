import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pack } from '../../../scripts/package/pack.mjs';
import { run } from '../../../scripts/run.mjs';
import { publicPackages } from '../../../scripts/workspace.mjs';

const here = import.meta.dirname;
const NPM_OPTIONS = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];

/**
 * Makes a user's project: the tarballs of the folder in ARRAY_INTERFACE_TARBALLS, or of what is
 * built here, installed where nothing else is. Tests have its folder as `project`.
 */
export default async function setup({ provide }) {
  await installTools();
  // Not below the root, whose node_modules would resolve the imports.
  const project = mkdtempSync(path.join(tmpdir(), 'consumers-'));
  writeFileSync(path.join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  await npm(project, 'install', ...tarballs(path.join(project, 'tarballs')));
  for (const name of ['programs', 'types']) {
    cpSync(path.join(here, name), path.join(project, name), { recursive: true });
  }
  provide('project', project);
  return () => rmSync(project, { recursive: true });
}

/** Installs what package-lock.json names, unless that is done. */
async function installTools() {
  const installed = path.join(here, 'node_modules', '.package-lock.json');
  const lock = path.join(here, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  await npm(here, 'ci');
}

async function npm(cwd, ...args) {
  const status = await run('npm', [...args, '--loglevel=error', ...NPM_OPTIONS], { cwd });
  if (status !== 0) throw new Error(`expected npm ${args[0]} to end with 0, got ${status}`);
}

function tarballs(folder) {
  const given = process.env.ARRAY_INTERFACE_TARBALLS;
  if (!given) return publicPackages().map((one) => pack(one.folder, folder).tarball);
  return readdirSync(given)
    .filter((name) => name.endsWith('.tgz') && isForHere(name))
    .map((name) => path.resolve(given, name));
}

/** Whether a package has no binaries, or those of this machine. npm refuses the others. */
function isForHere(name) {
  const libc = process.report.getReport().header.glibcVersionRuntime ? 'gnu' : 'musl';
  return (
    !name.includes('-native-') || name.includes(`-${process.platform}-${process.arch}-${libc}-`)
  );
}
