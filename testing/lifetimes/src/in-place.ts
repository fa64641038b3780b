import { randomSeed } from '@array-interface/random';
import { expect, test } from 'vitest';
import { answer } from './run-program.js';
import { COUNT, type Subject } from './subject.js';

/** Typed arrays over an array's memory, in threads that end, and collected in any order. */
export function inPlace(subject: Subject): void {
  const seed = randomSeed();
  const count = 4 * COUNT;

  test(`arrays are mapped in place in any order and thread, FAST_CHECK_SEED=${seed}`, async () => {
    const words = [subject.inPlace, String(count), String(seed)];
    type Answer = { readonly looks: number };
    const { looks, ...rest } = await answer<Answer>(subject, 'in-place', ...words);
    expect(rest).toEqual({ ends: [0, 3, 1], left: 0 });
    expect(looks).toBeGreaterThan(count);
  });

  test('arrays that the thread pool uses in place are disposed in threads that end', async () => {
    const ends = [0, 3, 1, 0, 3, 1];
    const found = await answer(subject, 'pool', subject.inPlace, '2');
    expect(found).toEqual({ ends, overwritten: 0, left: 0 });
  });
}
