import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

// With a seed or a number of runs set, the random cases differ from the usual ones.
const runs = Number(process.env.ARRAY_INTERFACE_RUNS || '1');
const isUsual = !process.env.FAST_CHECK_SEED && runs === 1;

/** A program may loop for ever if a table is corrupt. With sanitizers it takes minutes. */
const LONGEST_MS = 1_200_000;

/** Runs a C++ test program, and expects it to pass with its usual number of checks. */
export function expectChecks(name: string, usual: number): void {
  const program = fileURLToPath(new URL(`../build/Release/${name}`, import.meta.url));
  const { error, status, stdout, stderr } = spawnSync(program, {
    encoding: 'utf8',
    timeout: LONGEST_MS,
  });
  expect(error, `${name}: npm run build makes it; ETIMEDOUT: it hangs`).toBeUndefined();
  expect(stderr).toBe('');
  const said = stdout.trimEnd().split('\n');
  const [, checks, failed] = /^(\d+) checks, (\d+) failed$/.exec(said.at(-1) ?? '') ?? [];
  const failure = said.findLastIndex((line) => /:\d+: expected /.test(line));
  expect(failed, said.slice(Math.max(failure, 0)).join('\n')).toBe('0');
  expect(status).toBe(0);
  if (isUsual) expect(Number(checks), `the checks of ${name}`).toBe(usual);
  else {
    const least = 0.9 * Math.min(1, runs) * usual;
    expect(Number(checks), `the checks of ${name}`).toBeGreaterThan(least);
  }
}
