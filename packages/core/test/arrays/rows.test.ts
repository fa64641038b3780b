import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { putRows, putWhere, rowsAt, takeRows } from '../../src/arrays/rows.js';

const settings = random(300);

const words = (...indices: bigint[]) => new Int32Array(BigInt64Array.from(indices).buffer);

/** Bytes at an odd address, or at an even one. */
function block(length: number, shift: number, fill: (i: number) => number): Uint8Array {
  const bytes = new Uint8Array(new ArrayBuffer(length + shift), shift);
  for (let i = 0; i < length; i++) bytes[i] = fill(i);
  return bytes;
}

describe('rows in JavaScript', () => {
  test('indices are read as rows, and the first outside is named', () => {
    expect([...rowsAt(words(0n, 4n, -1n, -5n), 5)]).toEqual([0, 4, 4, 0]);
    for (const index of [
      5n,
      -6n,
      2n ** 32n,
      -(2n ** 32n),
      2n ** 63n - 1n,
      -(2n ** 63n),
      2n ** 40n,
    ]) {
      expect(() => rowsAt(words(1n, index, 9n), 5)).toThrow(
        expect.objectContaining({ code: 'ERR_ARGUMENT', path: 'indices[1]' }),
      );
    }
    expect(() => rowsAt(words(0n), 0)).toThrow(/no index, since the axis has length 0/);
  });

  const cases = fc.record({
    rowBytes: fc.constantFrom(1, 2, 3, 4, 6, 8, 12, 127, 128, 200),
    outer: fc.integer({ min: 1, max: 3 }),
    length: fc.integer({ min: 1, max: 6 }),
    numbers: fc.array(fc.nat(), { maxLength: 8 }),
    shifts: fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 })),
  });

  test(`are those of a loop over all bytes, seed ${settings.seed}`, () => {
    const property = fc.property(cases, ({ rowBytes, outer, length, numbers, shifts }) => {
      const count = numbers.length;
      const at = Float64Array.from(numbers, (number) => number % length);
      const rows = { length, count, outer, rowBytes };
      const array = block(outer * length * rowBytes, shifts[0], (i) => i * 7 + 1);
      const other = block(outer * count * rowBytes, shifts[1], (i) => i * 5 + 2);
      const taken = other.slice();
      const put = array.slice();
      for (let row = 0; row < outer * count; row++) {
        const from = Math.floor(row / count) * length + (at[row % count] as number);
        for (let i = 0; i < rowBytes; i++) {
          taken[row * rowBytes + i] = array[from * rowBytes + i] as number;
          put[from * rowBytes + i] = other[row * rowBytes + i] as number;
        }
      }
      const target = block(array.length, shifts[0], (i) => array[i] as number);
      putRows(target, other, at, rows);
      expect(target).toEqual(put);
      takeRows(other, array, at, rows);
      expect(other).toEqual(taken);
    });
    fc.assert(property, settings);
  });

  test('elements are put where a mask is not 0', () => {
    for (const itemsize of [1, 2, 4, 8, 12, 3]) {
      const target = new Uint8Array(4 * itemsize);
      const values = new Uint8Array(4 * itemsize).fill(9);
      putWhere(target, values, Uint8Array.of(1, 0, 255, 0), itemsize);
      const expected = [9, 0, 9, 0].flatMap((value) => Array(itemsize).fill(value));
      expect([...target]).toEqual(expected);
    }
  });
});
