import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dtype, makeDescriptor } from '@array-interface/core';
import { mayShareMemory, overlapsItself, sharesMemory } from '@array-interface/core/overlap';
import { randomSeed, runs } from '@array-interface/random';
import { expect, test } from 'vitest';
import { pythonOf } from '../support/python.js';

type Layout = readonly [pointer: number, shape: number[], byteStrides: number[], dtype: string];
type Case = readonly [one: Layout, other: Layout, numpy: readonly boolean[]];

const program = fileURLToPath(
  new URL('../../python/random_cases/random_overlap.py', import.meta.url),
);

/** Pairs per call of Python, so that the JSON is not too large. */
const PORTION = 50_000;

const seed = randomSeed();
test(`whether random arrays share memory equals NumPy's answer, seed ${seed}`, async () => {
  const count = runs(50_000);
  const answers = { meet: 0, share: 0, overlap: 0 };
  for (let first = 0; first < count; first += PORTION) {
    const cases = await casesOf(seed + first, Math.min(PORTION, count - first));
    for (const [one, other, numpy] of cases) {
      const own = ownAnswers(one, other);
      if (String(own) !== String(numpy)) {
        expect(own, JSON.stringify([one, other])).toEqual(numpy);
      }
      answers.meet += Number(own[0]);
      answers.share += Number(own[1]);
      answers.overlap += Number(own[2]);
    }
  }
  console.log(`${count} pairs from seed ${seed} as NumPy has them:`, answers);
  expect(answers.share).toBeGreaterThan(count / 10);
  expect(answers.meet - answers.share).toBeGreaterThan(count / 50);
});

function ownAnswers(...layouts: readonly [Layout, Layout]): boolean[] {
  const [a, b] = layouts.map(([pointer, shape, byteStrides, typestr]) =>
    makeDescriptor({ pointer, shape, byteStrides, dtype: dtype(typestr) }),
  ) as [ReturnType<typeof makeDescriptor>, ReturnType<typeof makeDescriptor>];
  return [mayShareMemory(a, b), sharesMemory(a, b), overlapsItself(a)];
}

async function casesOf(from: number, count: number): Promise<readonly Case[]> {
  const { stdout } = await promisify(execFile)(
    pythonOf('sycl'),
    [program, String(from), String(count)],
    { maxBuffer: 2 ** 30, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } },
  );
  return (JSON.parse(stdout) as { cases: readonly Case[] }).cases;
}
