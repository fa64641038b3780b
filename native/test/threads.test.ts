import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../build/Release/threads_test', import.meta.url));

test('what is waited for is looked at in order, and seldom', () => {
  const { error, status, stdout, stderr } = spawnSync(program, { encoding: 'utf8' });
  expect(error, 'npm run build makes the program').toBeUndefined();
  expect(stderr).toBe('');
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  const [, checks, failed] = /^(\d+) checks, (\d+) failed$/.exec(last) ?? [];
  expect(failed, stdout).toBe('0');
  expect(Number(checks)).toBeGreaterThan(20);
  expect(status).toBe(0);
});
