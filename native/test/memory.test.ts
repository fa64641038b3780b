import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../build/Release/memory_test', import.meta.url));

test('memory is worked on in order and given back when nobody needs it', () => {
  const { error, status, stdout, stderr } = spawnSync(program, { encoding: 'utf8' });
  expect(error, 'npm run build makes the program').toBeUndefined();
  expect(stderr).toBe('');
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  const [, checks, failed] = /^(\d+) checks, (\d+) failed$/.exec(last) ?? [];
  expect(failed, stdout).toBe('0');
  expect(Number(checks)).toBeGreaterThan(600); // one for each random program, and the others
  expect(status).toBe(0);
});
