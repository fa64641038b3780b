import fc from 'fast-check';
import { describe, test } from 'vitest';
import { random } from '../support/random-cases.js';
import type { Subject } from '../support/subject.js';
import { checkCopy } from './check-copy.js';
import { COPY_CASES, type CopyCase, copyCaseOf, DTYPES } from './copy-cases.js';
import { randomCopy, randomLargeCopy } from './random-layout.js';

/** Copies any layout into any other. */
export function copies({ backend, runs }: Subject): void {
  const check = (one: CopyCase) =>
    checkCopy(one, [backend, backend], (target, source) => backend.copy(target, source));

  /** Copies once as the first of its kind, and again if a later copy takes another kernel. */
  async function checkTwice(one: CopyCase): Promise<void> {
    await check(one);
    await backend.whenKernelsReady();
    await check(one);
  }

  describe('copy', () => {
    test.each(COPY_CASES)('$name', check);

    test.each(DTYPES.map(copyCaseOf))('dtype $name', check);

    const settings = random(runs);
    test(`random layouts, seed ${settings.seed}`, () =>
      fc.assert(fc.asyncProperty(randomCopy, check), settings));

    const large = random(1);
    test(`a random layout of a million elements, seed ${large.seed}`, async () => {
      const property = fc.asyncProperty(randomLargeCopy, checkTwice);
      // Shrinking would take as long again, so the first failing case is reported unshrunk.
      await fc.assert(property, { ...large, endOnFailure: true });
    });
  });
}
