import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const built = fileURLToPath(new URL('../../build/Release', import.meta.url));
const program = join(process.env.ARRAY_INTERFACE_ADDON_DIR || built, 'arena_test');

test('memory of our own is nobody else’s, goes back, and its addresses stay ours', () => {
  const { error, signal, status, stdout, stderr } = spawnSync(program, { encoding: 'utf8' });
  expect(error, 'npm run build makes the program').toBeUndefined();
  expect({ signal, stderr }).toEqual({ signal: null, stderr: '' });
  expect(stdout).toMatch(/^19 checks, 0 failed$/m);
  expect(status).toBe(0);
});
