import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf, root } from './support/pages.js';

const read = (page: string) => readFileSync(path.join(root, page), 'utf8');
const readme = read('README.md');

test('README fits on a screen', () => {
  expect(readme.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(70);
});

// npm run test:install runs them with packages from a registry, and docs.test.ts runs README's program.
test('README installs what its program imports', () => {
  const [install, program] = blocksOf({ page: 'README.md', text: readme });
  expect(install?.code).toBe(
    'mkdir my-arrays && cd my-arrays\nnpm install @array-interface/core @array-interface/host\n',
  );
  const imported = [...(program?.code ?? '').matchAll(/ from '(.*?)'/g)].map(([, name]) => name);
  expect(imported).toEqual(['@array-interface/host']);
});

test('another project uses the folders of the checkout', () => {
  const [, section = ''] = read('docs/install.md').split('### Try it in another project');
  const [{ code: command } = { code: '' }] = blocksOf({ page: 'docs/install.md', text: section });
  expect(command).toMatch(/^npm install (?:\.\.\/array-interface\/\S+ ?)+\n$/);
  const folder = mkdtempSync(path.join(tmpdir(), 'array-interface-'));
  try {
    writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const here = command.trimEnd().replaceAll('../array-interface', root);
    const program =
      "import { host } from '@array-interface/host'; console.log(host.empty([2], 'float32').shape)";
    const script = `${here} --offline --no-audit --no-fund\nnode --input-type=module --eval "${program}"`;
    const output = execFileSync('sh', ['-e'], { cwd: folder, input: script });
    expect(output.toString()).toMatch(/\n\[ 2 \]\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
