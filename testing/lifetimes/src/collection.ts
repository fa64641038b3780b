import { randomSeed } from '@array-interface/random';
import { expect, test } from 'vitest';
import { answer } from './run-program.js';
import { COUNT, type Subject } from './subject.js';

/** Garbage collection frees what nobody disposed of, in any order. */
export function collection(subject: Subject): void {
  const seed = randomSeed();
  const count = 10 * COUNT;

  test(`garbage collection in any order, FAST_CHECK_SEED=${seed}`, async () => {
    type Answer = Readonly<Record<'most' | 'looks' | 'left', number>>;
    const words = [String(count), String(seed)];
    const { most, looks, left } = await answer<Answer>(subject, 'collection', ...words);
    expect(most).toBeGreaterThanOrEqual(2 * count);
    expect(looks).toBeGreaterThan(0);
    expect(left).toBe(0);
  });
}
