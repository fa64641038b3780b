import { random } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DTypeText, makeDescriptor } from '../../src/index.js';
import { overlapsItself } from '../../src/overlap/overlaps-itself.js';

const layouts = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -12, max: 12 })), {
    maxLength: 4,
  })
  .map((axes) => ({ shape: axes.map(([n]) => n), byteStrides: axes.map(([, step]) => step) }));

/** By marking every byte. */
function marksTwice(shape: number[], byteStrides: number[], itemsize: number): boolean {
  const marked = new Set<number>();
  let twice = false;
  const visit = (axis: number, place: number) => {
    if (axis === shape.length) {
      for (let byte = place; byte < place + itemsize; byte++) {
        if (marked.has(byte)) twice = true;
        marked.add(byte);
      }
      return;
    }
    for (let i = 0; i < (shape[axis] as number); i++) {
      visit(axis + 1, place + i * (byteStrides[axis] as number));
    }
  };
  visit(0, 0);
  return twice;
}

test('overlapsItself equals marking every byte', () => {
  fc.assert(
    fc.property(
      layouts,
      fc.constantFrom('|u1', '<i2', '<f4'),
      ({ shape, byteStrides }, typestr) => {
        const array = makeDescriptor({ pointer: 4096n, shape, byteStrides, dtype: typestr });
        expect(overlapsItself(array)).toBe(marksTwice(shape, byteStrides, array.itemsize));
      },
    ),
    random(1000),
  );
});

test('overlapsItself is exact for large layouts that interleave', () => {
  const overlaps = (shape: number[], byteStrides: number[], dtype: DTypeText = 'uint8') =>
    overlapsItself(makeDescriptor({ pointer: 2n ** 60n, shape, byteStrides, dtype }));
  expect(overlaps([3000, 5000], [5001, -1])).toBe(false);
  expect(overlaps([3000, 5000], [4999, 1])).toBe(true);
  expect(overlaps([5000, 3000], [3, -5000])).toBe(false);
  expect(overlaps([5001, 3000], [3, -5000])).toBe(true);
  expect(overlaps([5001, 3], [3, 5000])).toBe(false);
  expect(overlaps([5001, 4], [3, 5000])).toBe(true);
  expect(overlaps([5000, 3], [3, -5000])).toBe(false);
  expect(overlaps([5000, 3], [3, -5000], 'int16')).toBe(true);
  expect(overlaps([10 ** 6, 10 ** 6], [2 * 10 ** 6, 2])).toBe(false);
  expect(overlaps([10 ** 6, 10 ** 6], [1_000_003, 1_000_033])).toBe(false);
  expect(overlaps([1_000_034, 1_000_034], [1_000_003, 1_000_033])).toBe(true);
  expect(overlaps([2 ** 20, 2 ** 20, 8], [0, 1, 2 ** 30])).toBe(true);
});
