import type { BackendArray, EmptyOptions, OwnedArray } from '@array-interface/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { random } from '../support/random-cases.js';
import type { BackendSubject } from '../support/subject.js';

/** A cache line. JAX copies an array that does not begin at one, and says nothing of it. */
const ALIGNMENT = 64n;

/** Bytes: few, about a page, and more than what allocators give from their heaps. */
const sizes = fc.oneof(
  fc.nat(300),
  fc.integer({ min: 4000, max: 9000 }),
  fc.integer({ min: 1 << 20, max: 5 << 20 }),
);

/** How an array is made, and whether the one before is given back first, to be used again. */
const makings = fc.record({ size: sizes, isCopy: fc.boolean(), endsLast: fc.boolean() });

/** New memory begins at a cache line, whatever its size and kind, also when it was used before. */
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
