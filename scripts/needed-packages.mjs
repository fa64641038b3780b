import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaces } from './install.mjs';
import { root } from './run.mjs';

const manifestOf = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** The folders of the packages that one needs for its build and its tests, itself among them. */
export function neededBy(folder) {
  const byName = new Map(workspaces().map((one) => [manifestOf(one).name, one]));
  const needed = new Set([path.join(root, folder)]);
  for (const one of needed) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } =
      manifestOf(one);
    const named = {
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...peerDependencies,
    };
    for (const name of Object.keys(named)) if (byName.has(name)) needed.add(byName.get(name));
  }
  return [...needed];
}

/** Whether the package in a folder has C++ to be built. */
export function hasNative(folder) {
  return manifestOf(folder).scripts?.['build:native'] !== undefined;
}
