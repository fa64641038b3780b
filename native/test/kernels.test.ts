import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../build/Release/kernels_test', import.meta.url));

test('the kernels built as C++ copy as a naive loop does', () => {
  const { error, status, stdout, stderr } = spawnSync(program, { encoding: 'utf8' });
  expect(error, 'npm run build makes the program').toBeUndefined();
  expect(stderr).toBe('');
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  const [, checks, failed] = /^(\d+) checks, (\d+) failed$/.exec(last) ?? [];
  expect(failed, stdout).toBe('0');
  expect(Number(checks)).toBeGreaterThan(20_000);
  expect(status).toBe(0);
});
