import type { BackendArray, EmptyOptions, OwnedArray } from '@array-interface/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { random } from '../support/random-cases.js';
import type { BackendSubject } from '../support/subject.js';

/** A cache line. JAX silently copies an array that does not begin at one. */
const ALIGNMENT = 64n;

/** Sizes in bytes: small, about a page, and more than allocators take from their heaps. */
const sizes = fc.oneof(
  fc.nat(300),
  fc.integer({ min: 4000, max: 9000 }),
  fc.integer({ min: 1 << 20, max: 5 << 20 }),
);

/**
 * How an array is made, and whether the previous one is freed first, so that its memory may be
 * reused.
 */
const makings = fc.record({ size: sizes, isCopy: fc.boolean(), endsLast: fc.boolean() });

/** New memory begins at a cache line, whatever its size and kind, even if it is reused. */
export function alignment({ backend, inPlace }: BackendSubject): void {
  const settings = random(20);
  const kinds = [{}, ...inPlace.map((memoryKind) => ({ memoryKind }))];

  describe('alignment', () => {
    test.each<EmptyOptions>(kinds)(`of new memory with %o, seed ${settings.seed}`, async (kind) => {
      const property = fc.asyncProperty(
        fc.array(makings, { minLength: 5, maxLength: 10 }),
        async (all) => {
          const made: OwnedArray<BackendArray>[] = [];
          try {
            for (const { size, isCopy, endsLast } of all) {
              if (endsLast) made.at(-1)?.[Symbol.dispose]();
              const array = isCopy
                ? await backend.array(new Uint8Array(size), kind)
                : backend.empty([size], 'uint8', kind);
              made.push(array);
              expect(array.pointer % ALIGNMENT).toBe(0n);
            }
          } finally {
            for (const array of made) array[Symbol.dispose]();
          }
        },
      );
      await fc.assert(property, settings);
    });
  });
}
