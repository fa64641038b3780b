import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root, run } from '../run.mjs';

/** The folder of package managers, runtimes and the registry for tests. */
export const clients = path.join(root, 'testing', 'install');

/**
 * Installs the clients and the registry that package-lock.json lists, unless they are installed.
 */
export async function installClients() {
  const lock = path.join(clients, 'package-lock.json');
  const stamp = path.join(clients, 'node_modules', '.installed.json');
  if (existsSync(stamp) && readFileSync(stamp).equals(readFileSync(lock))) return 0;
  console.log('Installing the clients that testing/install names (0.4 GB, once) …');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const status = await run('npm', ['ci', ...options], { cwd: clients });
  if (status === 0) copyFileSync(lock, stamp);
  return status;
}
