import { randomSeed } from '@array-interface/random';
import { expect, test } from 'vitest';
import { answer } from './run-program.js';
import { DEFAULT_COUNT, type Subject } from './subject.js';

/** Garbage collection frees what nobody disposed of, in any order. */
export function collection(subject: Subject): void {
  const seed = randomSeed();
  const count = 10 * (subject.count ?? DEFAULT_COUNT);

  test(`garbage collection in any order, FAST_CHECK_SEED=${seed}`, async () => {
    const { most, looks, left } = await answer<{ most: number; looks: number; left: number }>(
      subject,
      'collection',
      String(count),
      String(seed),
    );
    expect(most).toBeGreaterThanOrEqual(2 * count);
    expect(looks).toBeGreaterThan(0);
    expect(left).toBe(0);
  });
}
