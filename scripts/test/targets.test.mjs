import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { publishedManifest } from '../release/manifests.mjs';
import { targets } from '../release/targets.mjs';
import { root } from '../run.mjs';

/** The systems that a backend looks for a package of: what its users are told there is. */
function lookedFor(backend) {
  const source = readFileSync(path.join(root, 'packages', backend, 'src/addon.ts'), 'utf8');
  return [.../targets: \[([^\]]*)\]/.exec(source)[1].matchAll(/'([^']+)'/g)].map(([, one]) => one);
}

test.each(['host', 'cuda', 'sycl', 'python'])(
  '%s looks for the packages that it is published with',
  (name) => {
    const built = Object.keys(targets).filter((target) => targets[target].addons.includes(name));
    expect(lookedFor(name)).toEqual(built);
    const manifest = { name: `@array-interface/${name}`, version: '0.1.0' };
    expect(publishedManifest(manifest).optionalDependencies).toEqual(
      Object.fromEntries(built.map((target) => [`@array-interface/native-${target}`, '0.1.0'])),
    );
  },
);
