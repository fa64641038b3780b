import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../build/Release/mappings_test', import.meta.url));

test('the table of mappings tells what can be read and written, to the byte', () => {
  const { error, status, stdout, stderr } = spawnSync(program, { encoding: 'utf8' });
  expect(error, 'npm run build makes the program').toBeUndefined();
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^14 checks, 0 failed$/m);
  expect(status).toBe(0);
});
