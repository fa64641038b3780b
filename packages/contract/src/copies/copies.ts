import fc from 'fast-check';
import { describe, test } from 'vitest';
import { Block, placeOf, reach } from '../support/block.js';
import { random } from '../support/random-cases.js';
import { referenceCopy } from '../support/reference.js';
import type { Subject } from '../support/subject.js';
import { convertNumber } from './convert-number.js';
import { COPY_CASES, type CopyCase, copyCaseOf, DTYPES } from './copy-cases.js';
import { randomCopy, randomLargeCopy } from './random-layout.js';

/** Copies any layout into any other, and compares each byte of both blocks with the reference. */
export function copies(subject: Subject): void {
  describe('copy', () => {
    test.each(COPY_CASES)('$name', (one) => check(subject, one));

    test.each(DTYPES.map(copyCaseOf))('dtype $name', (one) => check(subject, one));

    const settings = random(subject.runs);
    test(`random layouts, seed ${settings.seed}`, async () => {
      const property = fc.asyncProperty(randomCopy, (one) => check(subject, one));
      await fc.assert(property, settings);
    });

    const large = random(1);
    test(`a random layout of a million elements, seed ${large.seed}`, async () => {
      const property = fc.asyncProperty(randomLargeCopy, (one) => checkTwice(subject, one));
      // Shrinking would take as long again, so the first failing case is reported unshrunk.
      await fc.assert(property, { ...large, endOnFailure: true });
    });
  });
}

/** Copies once as the first of its kind, and again if a later copy takes another kernel. */
async function checkTwice(subject: Subject, one: CopyCase): Promise<void> {
  await check(subject, one);
  await subject.backend.whenKernelsReady();
  await check(subject, one);
}

async function check({ backend }: Subject, { to, from }: CopyCase): Promise<void> {
  using target = await Block.make(backend, Math.max(1, reach(to)), 1);
  using source = await Block.make(backend, Math.max(1, reach(from)), 2);
  await backend.copy(target.at(to), source.at(from));
  const convert = convertNumber(from.dtype, to.dtype);
  referenceCopy(target.expected, placeOf(to), source.expected, placeOf(from), convert);
  await target.verify();
  await source.verify();
}
