import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { workspaces } from './install.mjs';
import { environment, run } from './run.mjs';

// CMake refuses a build folder that was configured under another path: a checkout that was moved.
function removeMovedBuilds() {
  for (const folder of workspaces()) {
    for (const name of readdirSync(folder).filter((entry) => entry.startsWith('build'))) {
      const cache = path.join(folder, name, 'CMakeCache.txt');
      if (!existsSync(cache)) continue;
      const home = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(readFileSync(cache, 'utf8'))?.[1];
      if (home !== folder) rmSync(path.join(folder, name), { recursive: true });
    }
  }
}

/** Builds every package; what has not changed comes from turborepo's cache. */
export async function build() {
  removeMovedBuilds();
  console.log('Building every package; the first time takes some minutes …');
  const env = { ...environment(), TURBO_TELEMETRY_DISABLED: '1' };
  return run('turbo', ['run', 'build', '--output-logs=errors-only'], { env });
}
