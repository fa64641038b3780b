import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { platformPackage, publishedManifest } from '../release/manifests.mjs';
import { targets } from '../release/targets.mjs';
import { publicPackages } from '../workspace.mjs';

test('no package runs anything when it is installed', () => {
  const packages = publicPackages();
  expect(packages.length).toBeGreaterThan(8);
  const core = packages.find(({ manifest }) => manifest.name.endsWith('/core')).manifest;
  const manifests = [
    ...packages.map(({ manifest }) => publishedManifest(manifest)),
    ...Object.keys(targets).map((target) => platformPackage(target, core).manifest),
  ];
  expect(manifests.filter((one) => one.scripts !== undefined)).toEqual([]);
  // npm would run node-gyp for one.
  const built = packages.filter(({ folder }) => existsSync(path.join(folder, 'binding.gyp')));
  expect(built).toEqual([]);
});
