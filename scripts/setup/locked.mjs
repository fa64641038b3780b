import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../run.mjs';

/** npm's options: it runs no script of a package, and prints nothing but errors. */
export const QUIETLY = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs what the package-lock.json of a folder lists, unless that is installed. Returns npm's
 * exit status. npm rejects a tarball whose hash is not the one in the lockfile.
 */
export async function installLocked(folder, what) {
  const lock = path.join(folder, 'package-lock.json');
  const stamp = path.join(folder, 'node_modules', '.installed.json');
  if (existsSync(stamp) && readFileSync(stamp).equals(readFileSync(lock))) return 0;
  console.log(`Installing ${what} …`);
  const status = await run('npm', ['ci', ...QUIETLY], { cwd: folder });
  if (status === 0) copyFileSync(lock, stamp);
  return status;
}
