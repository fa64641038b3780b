import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const built = fileURLToPath(new URL('../../build/Release', import.meta.url));
const program = join(process.env.ARRAY_INTERFACE_ADDON_DIR || built, 'shared_file_test');

test('files of shared memory keep their size, and no other file is opened', () => {
  const { error, status, stdout, stderr } = spawnSync(program, { encoding: 'utf8' });
  expect(error, 'npm run build makes the program').toBeUndefined();
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^26 checks, 0 failed$/m);
  expect(status).toBe(0);
});
