import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../src/${name}`, import.meta.url)), 'utf8');

// scripts/check/kernels.mjs checks whether the compilers still produce the same, if they are installed.
test('the checked-in kernels were built from the current source', () => {
  const hash = createHash('sha256').update(source('blur.cl')).digest('hex');
  expect(source('blur.kernel.ts'), 'run npm run build:kernels').toContain(
    `// SHA-256 of blur.cl: ${hash}\n`,
  );
});
