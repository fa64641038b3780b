import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

// Where a seed or a number of runs was named, random cases are others than usual.
const runs = Number(process.env.ARRAY_INTERFACE_RUNS || '1');
const isUsual = !process.env.FAST_CHECK_SEED && runs === 1;

/** Where a table is broken a program may go round for ever; a sanitized one takes minutes. */
const LONGEST_MS = 1_200_000;

/** Runs a program of tests in C++, which must pass and make as many checks as it usually does. */
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
