import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { root } from '../run.mjs';
import { workspaces } from '../workspace.mjs';

/**
 * Makes `npx NAME` run the commands of the workspace's packages in the repository. If the root
 * package depended on those packages instead, turborepo would treat each of their files as an input
 * of every task.
 */
export function linkCommands() {
  const bin = path.join(root, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  for (const folder of workspaces()) {
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    for (const [name, file] of Object.entries(manifest.bin ?? {})) {
      rmSync(path.join(bin, name), { force: true });
      symlinkSync(path.relative(bin, path.join(folder, file)), path.join(bin, name));
    }
  }
}
