import { describe, expect, test } from 'vitest';
import { arange, type Range, typeOf } from '../../src/arrays/arange.js';
import { linspace } from '../../src/arrays/linspace.js';
import type { Sequence } from '../../src/arrays/sequence.js';
import { dtype } from '../../src/index.js';

const ARRAYS = {
  float64: Float64Array,
  float32: Float32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
};

/** The elements of a sequence, computed in parts. */
function elements(sequence: Sequence, part = 3): (number | bigint)[] {
  const all: (number | bigint)[] = [];
  for (let first = 0; first < sequence.length; first += part) {
    const array = new ARRAYS[sequence.elements](Math.min(part, sequence.length - first));
    sequence.write(array, first);
    all.push(...array);
  }
  return all;
}

const range = (start: number | bigint, stop: number | bigint, step: number | bigint): Range => ({
  start,
  stop,
  step,
});
const of = (...numbers: Parameters<typeof range>) =>
  elements(arange(range(...numbers), typeOf(range(...numbers))));

describe('arange', () => {
  // What NumPy 2.4 returns.
  test.each<[Parameters<typeof range>, (number | bigint)[]]>([
    [
      [0, 1, 0.25],
      [0, 0.25, 0.5, 0.75],
    ],
    [
      [1, 1.3, 0.1],
      [1, 1.1, 1.2000000000000002, 1.3000000000000003],
    ],
    [
      [0.1, 1, 0.2],
      [0.1, 0.30000000000000004, 0.5000000000000001, 0.7000000000000001, 0.9000000000000001],
    ],
    [
      [1e16, 1e16 + 8, 2],
      [1e16, 1e16 + 2, 1e16 + 4, 1e16 + 6],
    ],
    [
      [3, 0, -1],
      [3, 2, 1],
    ],
    [[0, 5e-324, 1], [0]],
    [[0, -5e-324, 10], []],
    [[0, 3, -1], []],
    [
      [2n ** 63n - 3n, 2n ** 63n - 1n, 1n],
      [2n ** 63n - 3n, 2n ** 63n - 2n],
    ],
    [
      [-(2n ** 63n), -(2n ** 63n) + 5n, 2],
      [-(2n ** 63n), -(2n ** 63n) + 2n, -(2n ** 63n) + 4n],
    ],
  ])('number %# of these', (numbers, expected) => {
    expect(of(...numbers).map(String)).toEqual(expected.map(String));
  });

  test('in float32 is computed from the first two numbers in float32', () => {
    const { fround } = Math;
    const delta = fround(fround(0.30000000000000004) - fround(0.1));
    const third = fround(fround(0.1) + fround(2 * delta));
    const made = elements(arange(range(0.1, 0.6, 0.2), dtype('float32')));
    expect(made).toEqual([fround(0.1), fround(0.30000000000000004), third]);
  });

  test('names the number that is wrong', () => {
    const wrong =
      (numbers: Range, type = 'float64') =>
      () =>
        arange(numbers, dtype(type));
    expect(wrong(range(0, 1, 0))).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT', path: 'step' }),
    );
    expect(wrong(range(0, NaN, 1))).toThrow(
      expect.objectContaining({ code: 'ERR_OVERFLOW', path: 'stop' }),
    );
    expect(wrong(range(0, Infinity, 1))).toThrow(expect.objectContaining({ path: 'stop' }));
    expect(wrong(range(0.5, 2, 1), 'int8')).toThrow(
      expect.objectContaining({ code: 'ERR_TYPE', path: 'start' }),
    );
    expect(wrong(range(0, 200, 1), 'int8')).toThrow(
      expect.objectContaining({ code: 'ERR_OVERFLOW' }),
    );
    expect(wrong(range(null as never, 2, 1))).toThrow(expect.objectContaining({ path: 'start' }));
  });
});

describe('linspace', () => {
  const made = (start: number, stop: number, count: number, endpoint = true) =>
    elements(linspace(start, stop, count, endpoint, dtype('float64')));

  test('ends exactly at its last number', () => {
    expect(made(0, 0.3, 4).at(-1)).toBe(0.3);
    expect(made(1, 1 + 2 ** -52, 50).at(-1)).toBe(1 + 2 ** -52);
    expect(made(0, 1, 3, false)).toEqual([0, 1 / 3, 2 / 3]);
  });

  test('of a step that underflows still rises', () => {
    expect(made(0, 5e-324, 3)).toEqual([0, 0, 5e-324]);
  });
});
