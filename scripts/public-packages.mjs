import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaces } from './install.mjs';

/** The packages of the workspace that are published, with their folders and manifests. */
export function publicPackages() {
  return workspaces()
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')),
    }))
    .filter(({ manifest }) => manifest.private !== true);
}
