import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const file = fileURLToPath(new URL('../first.js', import.meta.url));
const code = readFileSync(file, 'utf8');
const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

test('prints what its comments say', () => {
  const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, said]) => said);
  expect(promised).toHaveLength(3);
  const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' });
  expect(printed.trim().split('\n')).toEqual(promised);
});

test('stands in the README as it is', () => {
  expect(readme).toContain(`\`\`\`js\n${code}\`\`\``);
});
