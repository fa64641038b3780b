import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../programs/collect.mjs', import.meta.url));

test('garbage collection knows the size of arrays that nobody disposes', () => {
  const output = execFileSync(process.execPath, [program], { encoding: 'utf8' });
  const { most } = JSON.parse(output);
  expect(most).toBeLessThan(100);
});
