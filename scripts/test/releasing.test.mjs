import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { targets } from '../release/targets.mjs';
import { root } from '../run.mjs';
import { publicPackages } from '../workspace.mjs';

/** A name that only npx needs; its package is a placeholder. */
const PLACEHOLDER = 'cuda-simulator';

test('the page about releases names every package of npm', () => {
  const page = readFileSync(path.join(root, 'docs/internals/releasing.md'), 'utf8');
  const [list] = /^names=\(.*?\)$/ms.exec(page);
  const printed = execFileSync('bash', ['-c', `${list}; printf '%s\\n' "\${names[@]}"`], {
    encoding: 'utf8',
  });
  const published = [
    ...publicPackages().map(({ manifest }) => manifest.name),
    ...Object.keys(targets).map((target) => `@array-interface/native-${target}`),
  ];
  expect(printed.trimEnd().split('\n').sort()).toEqual([PLACEHOLDER, ...published].sort());
});
