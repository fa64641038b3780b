import { random } from '@array-interface/random';
import { expect, test } from 'vitest';
import { answer } from './run-program.js';
import type { Subject } from './subject.js';

/** Codes that threads may get when they read by address alone; `none` if an array is there. */
const KINDS = ['ERR_OUT_OF_BOUNDS', 'ERR_POINTER_UNKNOWN', 'none'];

/** Dicts are passed to other threads, where they are only addresses. */
export function lentDicts(subject: Subject): void {
  const { seed, numRuns } = random(100);
  test(`dicts in other threads lead to live arrays or nowhere, seed ${seed}`, async () => {
    type Answer = { readonly kinds: string[] };
    const words = [String(seed), String(numRuns)];
    const { kinds, ...rest } = await answer<Answer>(subject, 'lent-dicts', ...words);
    const bytes = [1, 2, 3];
    expect(rest).toEqual({ lent: [bytes, bytes, 'ERR_POINTER_UNKNOWN'], left: 0 });
    expect(KINDS).toEqual(expect.arrayContaining(kinds));
  });
}
