import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pack } from '../../../scripts/package/pack.mjs';
import { must } from '../../../scripts/run.mjs';
import { installLocked, QUIETLY } from '../../../scripts/setup/locked.mjs';
import { publicPackages } from '../../../scripts/workspace.mjs';

const here = import.meta.dirname;

/**
 * Makes a user's project: the tarballs of the folder in ARRAY_INTERFACE_TARBALLS, or of what is
 * built here, installed where nothing else is. Tests have its folder as `project`, and the tarballs as
 * `packages`.
 */
export default async function setup({ provide }) {
  const status = await installLocked(here, 'the bundlers and compilers of these tests');
  if (status !== 0) throw new Error(`expected npm ci to end with 0, got ${status}`);
  // Not below the root, whose node_modules would resolve the imports.
  const project = mkdtempSync(path.join(tmpdir(), 'consumers-'));
  writeFileSync(path.join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  const packages = tarballs(path.join(project, 'tarballs'));
  await must('npm', ['install', '--prefer-offline', ...QUIETLY, ...packages], { cwd: project });
  for (const name of ['programs', 'types']) {
    cpSync(path.join(here, name), path.join(project, name), { recursive: true });
  }
  provide('project', project);
  provide('packages', packages);
  return () => rmSync(project, { recursive: true });
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
