import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addTerm, readBudget, sumWithin, type Term } from '../../src/overlap/bounded-sum.js';

type Pair = readonly [step: number, most: number];

function toTerms(pairs: readonly Pair[], factor = 1): Term[] {
  const terms: Term[] = [];
  for (const [step, most] of pairs) addTerm(terms, step * factor, most);
  return terms;
}

/** What `sumWithin` says, the same of numbers and of their products with a factor that makes them bigints. */
function answer(pairs: readonly Pair[], highest: number, slack: number): boolean {
  const [small, large] = [1, 2 ** 44 + 7].map((factor) => {
    const terms = toTerms(pairs, factor);
    const budget = readBudget({ maxWork: Number.POSITIVE_INFINITY });
    return sumWithin(
      terms,
      BigInt(highest) * BigInt(factor),
      BigInt(slack) * BigInt(factor),
      budget,
    );
  });
  expect(large).toBe(small);
  return small as boolean;
}

/** By making every sum. */
function bruteForce(terms: readonly Pair[], highest: number, slack: number): boolean {
  let sums = new Set([0]);
  for (const [step, most] of terms) {
    const longer = new Set<number>();
    for (const sum of sums) for (let i = 0; i <= most; i++) longer.add(sum + i * step);
    sums = longer;
  }
  return [...sums].some((sum) => sum <= highest && sum >= highest - slack);
}

const term = (steps: number, most: number) =>
  fc.tuple(fc.nat({ max: steps }), fc.nat({ max: most }));

describe('sumWithin', () => {
  it('equals computing every sum', () => {
    fc.assert(
      fc.property(
        fc.array(term(60, 6), { maxLength: 4 }),
        fc.integer({ min: -20, max: 900 }),
        fc.nat({ max: 5 }),
        (terms, highest, slack) => {
          expect(answer(terms, highest, slack)).toBe(bruteForce(terms, highest, slack));
        },
      ),
      random(3000),
    );
  });

  it('also for a few terms whose steps do not nest', () => {
    fc.assert(
      fc.property(
        fc.tuple(term(300, 90), term(300, 90)),
        fc.nat({ max: 54_000 }),
        fc.nat({ max: 7 }),
        (terms, highest, slack) => {
          expect(answer(terms, highest, slack)).toBe(bruteForce(terms, highest, slack));
        },
      ),
      random(1000),
    );
  });

  it('knows the first gap', () => {
    const sums = [0, 1, 2, 3, 4, 5].map((sum) =>
      answer(
        [
          [1, 1],
          [3, 1],
        ],
        sum,
        0,
      ),
    );
    expect(sums).toEqual([true, true, false, true, true, false]);
    expect(
      answer(
        [
          [1, 1],
          [3, 1],
        ],
        2,
        1,
      ),
    ).toBe(true);
  });

  it('needs one or two steps for two terms, however long', () => {
    const terms = toTerms([
      [1_000_000_007, 10 ** 9],
      [998_244_353, 10 ** 9],
    ]);
    const sums = [3n * 998_244_353n, 10n ** 17n, 1_000_000_006n, 998_244_354n];
    const found = sums.map((sum) => sumWithin(terms, sum, 0n, readBudget({ maxWork: 2 })));
    expect(found).toEqual([true, false, false, false]);
    expect(sumWithin(terms, 10n ** 18n + 12_345n, 0n, readBudget({ maxWork: 2 }))).toBe(true);
  });

  it('counts steps whose total exceeds a number', () => {
    const terms = toTerms([
      [1, 2 ** 53 - 1],
      [1, 2 ** 53 - 2],
    ]);
    const found = [3n, 2n].map((less) => {
      return sumWithin(terms, 2n ** 54n - less, 0n, readBudget({ maxWork: 2 }));
    });
    expect(found).toEqual([true, false]);
  });
});
