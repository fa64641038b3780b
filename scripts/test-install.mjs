import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { buildTypeScript } from './build.mjs';
import { root, run } from './run.mjs';

// npm run test:install [-- ARGUMENTS OF VITEST]: installs the packages as users do, each with its client, from
// a registry on this machine. It takes the binaries from .release/binaries.
const folder = path.join(root, 'testing', 'install');

/** Installs what its package-lock.json names, unless that is done. */
async function installTools() {
  const installed = path.join(folder, 'node_modules', '.package-lock.json');
  const lock = path.join(folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return 0;
  console.log('Installing the clients that testing/install names (0.4 GB, once) …');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  return run('npm', ['ci', ...options], { cwd: folder });
}

const test = () => run('vitest', ['run', ...process.argv.slice(2)], { cwd: folder });

for (const step of [installTools, buildTypeScript, test]) {
  process.exitCode = await step();
  if (process.exitCode !== 0) break;
}
