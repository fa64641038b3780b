import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { provideSyclRuntime } from '../../src/sycl-runtime/provide.js';

vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  statfs: async () => ({ bavail: 1_000, bsize: 1_000_000 }),
}));

test('a full disk is reported before anything is created or fetched', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'space-'));
  const python = path.join(directory, 'python');
  const begun = path.join(directory, 'begun');
  const answer = '[11, "CPython", true, true, true]';
  const script = `#!/bin/sh\n[ "$2" = -c ] && echo '${answer}' || touch '${begun}'\n`;
  writeFileSync(python, script, { mode: 0o755 });
  const lines: string[] = [];
  const folder = path.join(directory, 'cache/array-interface');
  const outcome = await provideSyclRuntime({
    target: path.join(folder, 'sycl-runtime'),
    env: { ...process.env, ARRAY_INTERFACE_PYTHON: python },
    find: () => ({ available: false, reason: 'no SYCL runtime was found', tried: [] }),
    log: (line) => lines.push(line),
  });
  expect(outcome).toEqual({
    state: 'failed',
    reason: `it needs 2.4 GB while it is made, and ${folder} has 1.0 GB free`,
    remedy: 'free some space and run this again',
  });
  expect(lines).toEqual([]);
  expect(existsSync(begun)).toBe(false);
  rmSync(directory, { recursive: true });
});
