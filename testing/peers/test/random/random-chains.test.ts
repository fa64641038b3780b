import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as core from '@array-interface/core';
import { type Chain, randomSeed, replay, runs } from '@array-interface/random';
import { expect, test } from 'vitest';
import { pythonOf } from '../support/python.js';

const program = fileURLToPath(
  new URL('../../python/random_cases/random_views.py', import.meta.url),
);

/** Chains per call of Python, so that the JSON is not too large. */
const PORTION = 10_000;

const seed = randomSeed();
test(`random chains of views and refusals are NumPy's, seed ${seed}`, async () => {
  const count = runs(250_000); // 50,000 in CI
  let compared = 0;
  for (let first = 0; first < count; first += PORTION) {
    for (const chain of await chainsOf(seed + first, Math.min(PORTION, count - first))) {
      for (const { view, numpy, core: own } of replay(core, chain)) {
        if (!same(own, numpy)) expect(own, `${JSON.stringify(chain)}: ${view}`).toEqual(numpy);
        compared++;
      }
    }
  }
  console.log(`${compared} views in ${count} chains from seed ${seed}: as NumPy's`);
  expect(compared).toBeGreaterThan(3 * count);
});

async function chainsOf(from: number, count: number): Promise<readonly Chain[]> {
  const { stdout } = await promisify(execFile)(
    pythonOf('sycl'),
    [program, String(from), String(count)],
    { maxBuffer: 2 ** 30, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } },
  );
  return (JSON.parse(stdout) as { chains: readonly Chain[] }).chains;
}

/** Fails as `toEqual` does, without its cost for values that are nearly always equal. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
