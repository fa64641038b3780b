import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { platformPackage, publishedManifest } from '../release/manifests.mjs';
import { targets } from '../release/targets.mjs';
import { root } from '../run.mjs';
import { addons, publicPackages } from '../workspace.mjs';

/**
 * The systems for which a backend looks for a package, which are those that it reports to users.
 */
function lookedFor(backend) {
  const source = readFileSync(path.join(root, 'packages', backend, 'src/addon.ts'), 'utf8');
  return [.../targets: \[([^\]]*)\]/.exec(source)[1].matchAll(/'([^']+)'/g)].map(([, one]) => one);
}

test.each(addons())('%s looks for the packages that it is published with', (name) => {
  const built = Object.keys(targets).filter((target) => targets[target].addons.includes(name));
  expect(lookedFor(name)).toEqual(built);
  const manifest = { name: `@array-interface/${name}`, version: '0.1.0' };
  expect(publishedManifest(manifest).optionalDependencies).toEqual(
    Object.fromEntries(built.map((target) => [`@array-interface/native-${target}`, '0.1.0'])),
  );
});

test('a package requires the core that it was released with, and no later one', () => {
  const peerDependencies = { '@array-interface/core': 'workspace:*', other: '1' };
  const manifest = { name: '@array-interface/host', version: '1.2.3', peerDependencies };
  expect(publishedManifest(manifest).peerDependencies).toEqual({
    '@array-interface/core': '^1.2.3',
    other: '1',
  });
});

test('a target’s package is installed only there, and its files are its addons', () => {
  const core = publicPackages().find(({ manifest }) => manifest.name.endsWith('/core')).manifest;
  for (const [target, { cpu, libc }] of Object.entries(targets)) {
    const { manifest, addons } = platformPackage(target, core);
    expect(manifest).toMatchObject({
      name: `@array-interface/native-${target}`,
      version: core.version,
      ...{ os: ['linux'], cpu: [cpu], libc: [libc] },
      preferUnplugged: true, // Yarn keeps packages in archives
      files: ['*.node'],
    });
    expect(addons.length).toBeGreaterThan(0);
    expect(manifest.description).toContain(
      addons.map((file) => file.replace('.node', '')).join(', '),
    );
  }
});
