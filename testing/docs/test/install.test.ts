import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
