import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { environment, root, run } from '../run.mjs';
import { hasNative, neededBy, workspaces } from '../workspace.mjs';

// CMake refuses a build folder that was configured under another path, as in a checkout that was
// moved.
function removeMovedBuilds(folders) {
  for (const folder of folders) {
    for (const name of readdirSync(folder).filter((entry) => entry.startsWith('build'))) {
      const cache = path.join(folder, name, 'CMakeCache.txt');
      if (!existsSync(cache)) continue;
      const home = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(readFileSync(cache, 'utf8'))?.[1];
      if (home === folder) continue;
      const build = path.join(folder, name);
      console.log(`Removing ${path.relative(root, build)}, which CMake configured as ${home} …`);
      rmSync(build, { recursive: true });
    }
  }
}

/** Builds every package, or the one in a folder. Unchanged ones come from turborepo's cache. */
export async function build(folder) {
  const needed = folder === undefined ? workspaces() : neededBy(folder);
  removeMovedBuilds(needed.filter(hasNative));
  console.log(`Building ${folder ?? 'every package'}; the first time takes some minutes …`);
  if (folder === undefined) return turbo('build');
  // The TypeScript of all takes seconds, and the repository's commands are written in it.
  const status = await buildTypeScript();
  if (!needed.some(hasNative)) return status;
  return status === 0 ? turbo('build:native', `--filter=./${folder}...`) : status;
}

/** Makes every `dist` match its sources, even if a file in it was changed or removed since. */
export function buildTypeScript() {
  return turbo('build:ts');
}

function turbo(...args) {
  const env = { ...environment(), TURBO_TELEMETRY_DISABLED: '1' };
  return run('turbo', ['run', ...args, '--output-logs=errors-only'], { env });
}
