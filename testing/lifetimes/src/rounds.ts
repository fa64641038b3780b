import { runs } from '@array-interface/random';
import { expect, test } from 'vitest';
import { answer } from './run-program.js';
import type { Subject } from './subject.js';

/**
 * Bytes by which a heap may grow after its first rounds. In the rounds of test:long, a leak of 170
 * bytes exceeds it.
 */
const MOST_GROWTH = 16 * 2 ** 20;

/** Rounds of a copy, and of worker threads. npm run test:long does a hundred times as many. */
export function rounds(subject: Subject): void {
  const copies = runs(1000);
  test(`memory does not grow when arrays are allocated, copied and freed ${copies} times`, async () => {
    type Answer = { grown: number; left: number };
    const { grown, left } = await answer<Answer>(subject, 'rounds', String(copies));
    expect(grown).toBeLessThan(MOST_GROWTH);
    expect(left).toBe(0);
  });

  const workers = runs(2);
  test(`${workers} worker threads load, use and tear down`, async () => {
    const got = await answer(subject, 'workers-in-turn', String(workers));
    expect(got).toEqual({ well: workers, left: 0 });
  });
}
