import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const built = fileURLToPath(new URL('../../build/Release', import.meta.url));
const program = join(process.env.ARRAY_INTERFACE_ADDON_DIR || built, 'arena_test');

test('our memory is nobody else’s, is freed, and its addresses stay reserved', () => {
  const { error, signal, status, stdout, stderr } = spawnSync(program, { encoding: 'utf8' });
  expect(error, 'npm run build makes the program').toBeUndefined();
  expect({ signal, stderr }).toEqual({ signal: null, stderr: '' });
  expect(stdout).toMatch(/^19 checks, 0 failed$/m);
  expect(status).toBe(0);
});
