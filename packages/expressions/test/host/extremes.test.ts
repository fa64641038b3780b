import { argmax, argmin, max, min } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { expect, test } from 'vitest';

// One number of each row is NaN, or 0 of another sign, wherever it is in a vector.

const ROWS = [
  // one, the others; the least, the greatest; whether the place of the one is found
  [Number.NaN, 1, Number.NaN, Number.NaN, true],
  [-0, 0, -0, 0, false],
  [0, -0, -0, 0, false],
] as const;
const LENGTHS = [7, 8, 33, 300];
const CASES = LENGTHS.flatMap((length) =>
  (['float32', 'float64'] as const).map((type) => [length, type] as const),
);

test.each(CASES)('NaN, and 0 of both signs, among %i numbers of %s', async (length, type) => {
  for (const [one, others, least, greatest, isFound] of ROWS) {
    const rows = Array.from({ length }, (_, place) =>
      Array.from({ length }, (_, index) => (index === place ? one : others)),
    );
    using x = await host.array(rows, { dtype: type });
    const places = rows.map((_, row) => (isFound ? BigInt(row) : 0n));
    for (const axis of [0, 1]) {
      for (const [reduce, value] of [
        [min, least],
        [max, greatest],
      ] as const) {
        using made = await reduce(host, x, { axis });
        expect(await made.toNested()).toEqual(rows.map(() => value));
      }
      for (const find of [argmin, argmax]) {
        using made = await find(host, x, { axis });
        expect(await made.toNested()).toEqual(places);
      }
    }
  }
});
