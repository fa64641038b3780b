import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildTypeScript } from './build.mjs';
import { root, run } from './run.mjs';

// npm run test:install [-- ARGUMENTS OF VITEST]: installs the packages as users do, each with its client, from
// a registry on this machine. It takes the binaries from .release/binaries.
const folder = path.join(root, 'testing', 'install');

/** Installs the clients and the registry that package-lock.json names, unless that is done. */
export async function installTools() {
  const lock = path.join(folder, 'package-lock.json');
  const stamp = path.join(folder, 'node_modules', '.installed.json');
  if (existsSync(stamp) && readFileSync(stamp).equals(readFileSync(lock))) return 0;
  console.log('Installing the clients that testing/install names (0.4 GB, once) …');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const status = await run('npm', ['ci', ...options], { cwd: folder });
  if (status === 0) copyFileSync(lock, stamp);
  return status;
}

const test = () => run('vitest', ['run', ...process.argv.slice(2)], { cwd: folder });

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const step of [installTools, buildTypeScript, test]) {
    process.exitCode = await step();
    if (process.exitCode !== 0) break;
  }
}
