import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../src/${name}`, import.meta.url)), 'utf8');

// Whether the compilers still give the same, scripts/check/kernels.mjs looks where they are.
test('the checked-in kernels were made from the source as it is', () => {
  const hash = createHash('sha256').update(source('blur.cl')).digest('hex');
  expect(source('blur.kernel.ts'), 'run npm run build:kernels').toContain(
    `// SHA-256 of blur.cl: ${hash}\n`,
  );
});
