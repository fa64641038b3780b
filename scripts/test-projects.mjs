import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaces } from './install.mjs';
import { root } from './run.mjs';

/**
 * The folders whose tests `npm test` runs: those with a vitest configuration, and these scripts.
 */
export function testProjects() {
  const tested = workspaces().filter((folder) => {
    const { scripts } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return folder !== root && scripts?.test !== undefined;
  });
  return [...tested, path.join(root, 'scripts')].map((folder) => path.relative(root, folder));
}
