import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// native/test/driver, on a driver of its own. ThreadSanitizer checks the same program.
const program = fileURLToPath(new URL('../../build/Release/driver_test', import.meta.url));

test('kernels that several threads request at once are compiled once each', () => {
  const { error, status, stdout, stderr } = spawnSync(program, {
    encoding: 'utf8',
    timeout: 60_000,
    // A sanitizer's library is for Node, whose addon needs it, and not for this program.
    env: { ...process.env, LD_PRELOAD: undefined },
  });
  expect(error, 'npm run build makes the program; ETIMEDOUT: it hangs').toBeUndefined();
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: '203 checks, 0 failed\n',
    stderr: '',
  });
});
