import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf, root } from './support/pages.js';

// The packages come from the registry in npm run test:install. Here the program is run with those of the checkout.
const text = readFileSync(path.join(root, 'README.md'), 'utf8');
const section = /^## Install\n.*?(?=^## )/ms.exec(text)?.[0] ?? '';
const blocks = blocksOf({ page: 'README.md', text: section });

test('the three commands print what the page says', () => {
  expect(blocks.map(({ language }) => language)).toEqual(['sh', 'text']);
  const [commands, printed] = blocks.map(({ code }) => code) as [string, string];
  const [folder, install, ...program] = commands.split('\n') as [string, string, ...string[]];
  expect(folder).toBe('mkdir my-arrays && cd my-arrays');
  expect(install).toBe('npm install @array-interface/core @array-interface/host');
  expect(program[0]).toMatch(/^node /);
  const output = execFileSync('sh', ['-e'], {
    cwd: import.meta.dirname,
    input: program.join('\n'),
  });
  expect(output.toString()).toBe(printed);
});

test('another project uses the folders of the checkout', () => {
  const [, command = ''] = /in another project, .*?```sh\n(.*?)\n```/s.exec(text) ?? [];
  expect(command).toMatch(/^npm install (?:\.\.\/array-interface\/\S+ ?)+$/);
  const folder = mkdtempSync(path.join(tmpdir(), 'array-interface-'));
  try {
    writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const here = command.replaceAll('../array-interface', root);
    const program =
      "import { host } from '@array-interface/host'; console.log(host.empty([2], 'float32').shape)";
    const script = `${here} --offline --no-audit --no-fund\nnode --input-type=module --eval "${program}"`;
    const output = execFileSync('sh', ['-e'], { cwd: folder, input: script });
    expect(output.toString()).toMatch(/\n\[ 2 \]\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the page of releases counts the packages', () => {
  const page = readFileSync(path.join(root, 'docs/internals/releasing.md'), 'utf8');
  const packages = readdirSync(path.join(root, 'packages')).filter((name) => {
    const file = path.join(root, 'packages', name, 'package.json');
    return JSON.parse(readFileSync(file, 'utf8')).private !== true;
  });
  const numbers: Readonly<Record<number, string>> = { 8: 'eight', 9: 'nine', 10: 'ten' };
  expect(page).toContain(`the ${numbers[packages.length]} packages of the workspace`);
});
