import { randomSeed } from '@array-interface/random';
import { expect, test } from 'vitest';
import { answer } from './run-program.js';
import { DEFAULT_COUNT, type Subject } from './subject.js';

interface Answer {
  readonly ends: readonly number[];
  readonly looks: number;
  readonly left: number;
}

/** Typed arrays over an array's memory, in threads that end, and collected in any order. */
export function inPlace(subject: Subject): void {
  const seed = randomSeed();
  const count = 4 * (subject.count ?? DEFAULT_COUNT);

  test(`arrays in place, in any order and thread, FAST_CHECK_SEED=${seed}`, async () => {
    const words = [subject.inPlace, String(count), String(seed)];
    const { ends, looks, left } = await answer<Answer>(subject, 'in-place', ...words);
    expect(ends).toEqual([0, 3, 1]);
    expect(looks).toBeGreaterThan(count);
    expect(left).toBe(0);
  });

  test('arrays in place in the hands of the thread pool, disposed, in threads that end', async () => {
    const words = [subject.inPlace, '2'];
    const found = await answer<object>(subject, 'pool', ...words);
    const ends = [0, 3, 1, 0, 3, 1];
    expect(found).toEqual({ ends, overwritten: 0, left: 0 });
  });
}
