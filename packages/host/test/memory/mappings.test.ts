import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const built = fileURLToPath(new URL('../../build/Release', import.meta.url));
const program = join(process.env.ARRAY_INTERFACE_ADDON_DIR || built, 'mappings_test');

test('the table of mappings says what can be read and written, to the byte', () => {
  const { error, status, stdout, stderr } = spawnSync(program, { encoding: 'utf8' });
  expect(error, 'npm run build makes the program').toBeUndefined();
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^30 checks, 0 failed$/m);
  expect(status).toBe(0);
});
