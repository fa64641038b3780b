import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('programs/collect.mjs', import.meta.url));

test('garbage collection gives back what nobody disposed, and knows its size', () => {
  const output = execFileSync(process.execPath, ['--expose-gc', program], { encoding: 'utf8' });
  const { before, after, most } = JSON.parse(output);
  expect(before).toBe(201);
  expect(after).toBe(1);
  expect(most).toBeLessThan(100);
});
