import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, run } from '../run.mjs';
import { workspaces } from '../workspace.mjs';
import { installLocked } from './locked.mjs';

/** The folder whose lockfile pins pnpm by its hash. */
const folder = path.join(root, 'scripts', 'setup', 'pnpm');
const pnpm = path.join(folder, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
const stamp = path.join(root, 'node_modules', '.setup');

function fingerprint() {
  const hash = createHash('sha256').update(root).update(process.versions.modules);
  const manifests = workspaces().map((folder) => path.join(folder, 'package.json'));
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) => path.join(root, name));
  for (const file of [...files, ...manifests]) {
    hash.update(path.relative(root, file)).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function upToDate(wanted) {
  const linked = workspaces().every((folder) => existsSync(path.join(folder, 'node_modules')));
  return linked && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

/** Installs what the lockfile lists, unless nothing has changed since the last time. */
export async function install() {
  const wanted = fingerprint();
  if (upToDate(wanted)) return 0;
  // `npx pnpm@VERSION` would accept a tarball of any hash.
  const fetched = await installLocked(folder, 'pnpm');
  if (fetched !== 0) return fetched;
  console.log('Installing what pnpm-lock.yaml names …');
  const status = await run(process.execPath, [pnpm, 'install', '--frozen-lockfile']);
  if (status === 0) writeFileSync(stamp, wanted);
  return status;
}
